/** What the command line says about code of the folder: ask, run it, or load no plugin of it. */
import * as Context from "effect/Context"

export type TrustChoice = "ask" | "trust" | "no-plugins"

export const TrustChoice = Context.Reference<TrustChoice>("@planloom/cli/TrustChoice", {
  defaultValue: () => "ask",
})
