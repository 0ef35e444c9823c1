/** Whether to run code of the folder, by the command line: ask, trust, or no plugins. */
import * as Context from "effect/Context"

export type TrustChoice = "ask" | "trust" | "no-plugins"

export const TrustChoice = Context.Reference<TrustChoice>("@planloom/cli/TrustChoice", {
  defaultValue: () => "ask",
})
