/** Runs foreign work that may ignore interruption: its caller then waits for the end no longer than a moment. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/** Time for the work to release what it holds once it is interrupted; a run must end within 2 ms of its cancellation. */
const RELEASE_MS = 1

/**
 * The work itself; if the caller is interrupted, the work is interrupted and, if it has not ended by then, abandoned.
 * Work that has ended needs no fiber of its own.
 */
export const abandonable = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Exit.isExit(work) ? work : forked(work)

const forked = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(work, { startImmediately: true }), (fiber) => {
    const ended = fiber.pollUnsafe()
    return (
      ended ??
      Effect.onInterrupt(Fiber.join(fiber), () => {
        fiber.interruptUnsafe()
        return Effect.raceFirst(
          Effect.interruptible(Fiber.await(fiber)),
          Effect.interruptible(Effect.sleep(RELEASE_MS)),
        )
      })
    )
  })
