/** A time limit for a hook, which sets no timer for work that ends synchronously. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Starts the work at once in a fiber of its own; inside a running fiber that is now, so that work which ends
 * synchronously returns its exit. Fails with `late()` when the work takes longer than `ms`; it is interrupted then.
 */
export const withinTime = <A, E>(
  work: Effect.Effect<A, E>,
  ms: number,
  late: () => E,
): Effect.Effect<A, E> => {
  const fiber = Fiber.getCurrent()
  if (fiber === undefined) return Effect.suspend(() => withinTime(work, ms, late))
  const worker = Effect.runForkWith(fiber.context)(work)
  return (
    worker.pollUnsafe() ??
    Effect.timeoutOrElse(
      Effect.onInterrupt(Fiber.join(worker), () => Fiber.interrupt(worker)),
      { duration: ms, orElse: () => Effect.failSync(late) },
    )
  )
}
