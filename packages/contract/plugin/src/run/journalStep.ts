/** Builds `Journal.step` on `lookup` and `record`, so that every journal decides alike what is recorded and replayed. */
import * as Effect from "effect/Effect"
import type { Exit } from "effect/Exit"
import type { Failure } from "./Failure.ts"
import type { Journal } from "./Journal.ts"
import type { Json } from "../value/Json.ts"
import { recordedStep, replayed } from "./RecordedStep.ts"

export const journalStep =
  ({ lookup, record }: Pick<Journal, "lookup" | "record">): Journal["step"] =>
  <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(lookup(name), (known): Effect.Effect<A, E, R> =>
      known === undefined
        ? Effect.onExitPrimitive(effect, (exit) => {
            const outcome = recordedStep(exit as Exit<Json, Failure>)
            return outcome === undefined ? undefined : record(name, outcome)
          })
        : (replayed(known) as Effect.Effect<A, E>),
    )
