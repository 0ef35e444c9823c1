/** A time limit that sets no timer for synchronous work, and stops counting while a person is asked. */
import type { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"

/** The innermost limit that the effect is under. */
const Innermost = Context.Reference<Limit | undefined>("@planloom/core/TimeLimit", {
  defaultValue: () => undefined,
})

/**
 * Fails with `late()` when the effect is not done within `ms`; it is interrupted then. The effect starts
 * at once in a fiber of its own, and a timer is set only if it did not end synchronously. Time spent in
 * `untimed` does not count. Without `ms` there is no limit.
 */
export const timeLimit = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  ms: number | undefined,
  late: (ms: number) => E2,
): Effect.Effect<A, E | E2, R> => (ms === undefined ? effect : limited(effect, ms, () => late(ms)))

const limited = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  ms: number,
  late: () => E2,
): Effect.Effect<A, E | E2, R> =>
  Effect.clockWith((clock) =>
    Effect.withFiber((fiber) => {
      const run = Effect.runForkWith(fiber.context)
      const limit = new Limit(Context.get(fiber.context, Innermost), ms, clock)
      const worker = run(Effect.provideService(effect as Effect.Effect<A, E>, Innermost, limit))
      const done = worker.pollUnsafe()
      if (done !== undefined) return done
      return Effect.callback<A, E | E2>((resume) => {
        const stopWaiting = worker.addObserver((exit: Exit.Exit<A, E>) => {
          limit.end()
          resume(exit)
        })
        limit.start((left) => {
          const timer = run(Effect.sleep(left))
          timer.addObserver((exit) => {
            if (exit._tag === "Failure") return
            stopWaiting()
            resume(Effect.andThen(stop(worker), Effect.failSync(late)))
          })
          return timer
        })
        return Effect.suspend(() => {
          limit.end()
          return stop(worker)
        })
      })
    }),
  )

/** Waits without counting against any enclosing limit. */
export const untimed = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Innermost, (limit) =>
    limit === undefined
      ? waiting
      : Effect.acquireUseRelease(
          Effect.sync(() => limit.pause()),
          () => waiting,
          () => Effect.sync(() => limit.resume()),
        ),
  )

class Limit {
  private readonly outer: Limit | undefined
  private readonly clock: Clock
  /** Milliseconds, as of `since`. */
  private left: number
  private since = 0
  private pauses = 0
  private timer: Fiber.Fiber<void> | undefined
  private set: ((left: number) => Fiber.Fiber<void>) | undefined

  constructor(outer: Limit | undefined, ms: number, clock: Clock) {
    this.outer = outer
    this.left = ms
    this.clock = clock
    this.since = clock.currentTimeMillisUnsafe()
  }

  start(set: (left: number) => Fiber.Fiber<void>): void {
    this.set = set
    if (this.pauses === 0) this.timer = set(this.left)
  }

  end(): void {
    this.set = undefined
    this.timer?.interruptUnsafe()
  }

  pause(): void {
    this.outer?.pause()
    if (this.pauses++ > 0) return
    this.timer?.interruptUnsafe()
    this.timer = undefined
    this.left = Math.max(0, this.left - (this.clock.currentTimeMillisUnsafe() - this.since))
  }

  resume(): void {
    this.outer?.resume()
    if (--this.pauses > 0) return
    this.since = this.clock.currentTimeMillisUnsafe()
    this.timer = this.set?.(this.left)
  }
}

const stop = (worker: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    worker.addObserver(() => resume(Effect.void))
    worker.interruptUnsafe()
  })
