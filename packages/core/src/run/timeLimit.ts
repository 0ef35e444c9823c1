/** A time limit that costs nothing to work that is done at once. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"

/**
 * Fails with `late()` when the effect is not done within `ms`; it is interrupted then. The effect starts
 * at once in a fiber of its own, and a timer is set only if it did not end synchronously.
 */
export const timeLimit = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  ms: number,
  late: () => E2,
): Effect.Effect<A, E | E2, R> =>
  Effect.withFiber((fiber) => {
    const run = Effect.runForkWith(fiber.context)
    const worker = run(effect as Effect.Effect<A, E>)
    const done = worker.pollUnsafe()
    if (done !== undefined) return done
    return Effect.callback<A, E | E2>((resume) => {
      const timer = run(Effect.sleep(ms))
      const stopWaiting = worker.addObserver((exit: Exit.Exit<A, E>) => {
        timer.interruptUnsafe()
        resume(exit)
      })
      timer.addObserver((exit) => {
        if (exit._tag === "Failure") return
        stopWaiting()
        resume(Effect.andThen(stop(worker), Effect.failSync(late)))
      })
      return Effect.suspend(() => {
        timer.interruptUnsafe()
        return stop(worker)
      })
    })
  })

const stop = (worker: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    worker.addObserver(() => resume(Effect.void))
    worker.interruptUnsafe()
  })
