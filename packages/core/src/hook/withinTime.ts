/** A time limit for a hook, which sets no timer for work that ends synchronously. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Fails with `late()` when the effect takes longer than `ms`; it is interrupted then. It starts at once in a fiber of its own. */
export const withinTime = <A, E>(
  work: Effect.Effect<A, E>,
  ms: number,
  late: () => E,
): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => {
    const worker = Effect.runForkWith(fiber.context)(work)
    return (
      worker.pollUnsafe() ??
      Effect.timeoutOrElse(
        Effect.onInterrupt(Fiber.join(worker), () => Fiber.interrupt(worker)),
        { duration: ms, orElse: () => Effect.failSync(late) },
      )
    )
  })
