/** Runs one work after another in one fiber. */
import type { Cause } from "effect/Cause"
import * as Effect from "effect/Effect"
import type { StageFailed } from "@planloom/plugin/effect"
import type { TimeLimit } from "../../model/limit/TimeLimit.ts"
import type { Deadlines } from "../policy/Deadlines.ts"
import { underLimit } from "../policy/timeLimit.ts"

export interface Turns<A, E, F> {
  /**
   * The next work; undefined when none is left. `follows` says that a work has succeeded at this moment. The work may
   * begin `limit`, which ends with it.
   */
  readonly next: (follows: boolean, limit: TimeLimit | undefined) => Effect.Effect<A, E> | undefined
  /** Takes the result of a work, and returns what has to run before the next one. */
  readonly succeeded: (result: A) => Effect.Effect<void, F> | undefined
  /** Takes the failure of a work; the next one follows unless this fails, too. */
  readonly failed: (cause: Cause<E>) => Effect.Effect<void, F>
  /** Set if a work may need a time limit: then a fiber of the loop's own runs them. */
  readonly deadlines: Deadlines | undefined
}

/**
 * A failure leaves the loop and is handled outside, where the loop starts again: a handler around each work would cost
 * more than the work of most stages.
 */
export const inTurn = <A, E, F>({
  deadlines,
  failed,
  next,
  succeeded,
}: Turns<A, E | StageFailed, F>): Effect.Effect<void, F> => {
  let limit: TimeLimit | undefined
  let work: Effect.Effect<A, E | StageFailed> | undefined
  let rest: Effect.Effect<void, F> | undefined
  let follows = false
  const loop = Effect.whileLoop({
    while: () => rest === undefined && (work = next(follows, limit)) !== undefined,
    body: () => work!,
    step: (result) => {
      work = undefined
      limit?.end()
      rest = succeeded(result)
      follows = true
    },
  })
  const limited =
    deadlines === undefined
      ? loop
      : underLimit(loop, deadlines, (opened) => {
          limit = opened
        })
  const after = (before: Effect.Effect<void, F>) => {
    rest = undefined
    follows = false
    return Effect.andThen(before, turns)
  }
  const turns: Effect.Effect<void, F> = Effect.matchCauseEffect(limited, {
    onSuccess: () => (rest === undefined ? Effect.void : after(rest)),
    // Outside of a work the loop only fails by a defect.
    onFailure: (cause) =>
      work === undefined ? Effect.failCause(cause as Cause<never>) : after(failed(cause)),
  })
  return turns
}
