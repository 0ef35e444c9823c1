/** Runs one work after another in one fiber. */
import type { Cause } from "effect/Cause"
import * as Effect from "effect/Effect"

export interface Turns<A, E, F> {
  /** The next work; undefined when none is left. */
  readonly next: () => Effect.Effect<A, E> | undefined
  /** Takes the result of a work, and returns what has to run before the next one. */
  readonly succeeded: (result: A) => Effect.Effect<void, F> | undefined
  /** Takes the failure of a work; the next one follows unless this fails, too. */
  readonly failed: (cause: Cause<E>) => Effect.Effect<void, F>
}

/**
 * A failure leaves the loop and is handled outside, where the loop starts again: a handler around each work would cost
 * more than the work of most stages.
 */
export const inTurn = <A, E, F>({
  failed,
  next,
  succeeded,
}: Turns<A, E, F>): Effect.Effect<void, F> => {
  let work: Effect.Effect<A, E> | undefined
  let rest: Effect.Effect<void, F> | undefined
  const loop = Effect.whileLoop({
    while: () => rest === undefined && (work = next()) !== undefined,
    body: () => work!,
    step: (result) => {
      work = undefined
      rest = succeeded(result)
    },
  })
  const turns: Effect.Effect<void, F> = Effect.matchCauseEffect(loop, {
    onSuccess: () => {
      if (rest === undefined) return Effect.void
      const before = rest
      rest = undefined
      return Effect.andThen(before, turns)
    },
    // Outside of a work the loop only fails by a defect.
    onFailure: (cause) =>
      work === undefined
        ? Effect.failCause(cause as Cause<never>)
        : Effect.andThen(failed(cause), turns),
  })
  return turns
}
