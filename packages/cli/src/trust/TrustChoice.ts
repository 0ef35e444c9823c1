/** Whether to run code of the folder, by the command line: ask, trust, or no plugins. A run that was imported is not asked for. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** `imported`: a stranger wrote the definition of the run, and named the folder of its files: trust in that folder says nothing. */
export type TrustChoice = "ask" | "trust" | "no-plugins" | "imported"

export const TrustChoice = Context.Reference<TrustChoice>("@planloom/cli/TrustChoice", {
  defaultValue: () => "ask",
})

/** Loads the workflow of a recorded run: without `--trust`, an imported one has no trusted folder. */
export const withTrustOf = <A, E, R>(
  { imported }: { readonly imported?: true },
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  imported === undefined
    ? work
    : Effect.flatMap(TrustChoice, (choice) =>
        Effect.provideService(work, TrustChoice, choice === "ask" ? "imported" : choice),
      )
