/** A time limit that sets no timer for synchronous work, and stops counting while a person is asked. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { StageFailed } from "@planloom/plugin/effect"
import type { Deadlines } from "./Deadlines.ts"
import { InnermostLimit, TimeLimit, type Late } from "../../model/limit/TimeLimit.ts"

/**
 * Fails with `late()` when the effect is not done within `ms`; it is interrupted then. The effect starts
 * at once in a fiber of its own, and its deadline is watched only if it did not end synchronously. Time spent in
 * `untimed` does not count. Without `ms` there is no limit.
 */
export const timeLimit = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  ms: number | undefined,
  { deadlines }: { readonly deadlines: Deadlines },
  late: Late,
): Effect.Effect<A, E | StageFailed, R> =>
  ms === undefined ? effect : limited(effect, ms, deadlines, late)

const limited = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  ms: number,
  deadlines: Deadlines,
  late: Late,
): Effect.Effect<A, E | StageFailed, R> =>
  underLimit(effect, deadlines, (limit) => limit.begin(ms, late, deadlines.now()))

/**
 * Runs the effect in a fiber of its own under a limit that `opened` receives before the effect starts. The effect may
 * end the limit and begin it anew for each part of its work.
 */
export const underLimit = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  deadlines: Deadlines,
  opened: (limit: TimeLimit) => void,
): Effect.Effect<A, E | StageFailed, R> =>
  Effect.withFiber(({ context }) => {
    const limit = new TimeLimit(Context.get(context, InnermostLimit), deadlines)
    opened(limit)
    const worker = Effect.runForkWith(Context.add(context, InnermostLimit, limit))(
      effect as Effect.Effect<A, E>,
    )
    const done = worker.pollUnsafe()
    if (done !== undefined) return done
    return Effect.callback<A, E | StageFailed>((resume) => {
      const stopWaiting = worker.addObserver((exit: Exit.Exit<A, E>) => {
        limit.stop()
        resume(exit)
      })
      const ring = () => {
        stopWaiting()
        resume(Effect.andThen(stop(worker), Effect.failSync(limit.failure)))
      }
      limit.start(ring, context)
      return Effect.suspend(() => {
        limit.stop()
        return stop(worker)
      })
    })
  })

/** Waits without counting against any enclosing limit. */
export const untimed = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(InnermostLimit, (limit) =>
    limit === undefined
      ? waiting
      : Effect.acquireUseRelease(
          Effect.sync(() => limit.pause()),
          () => waiting,
          () => Effect.sync(() => limit.resume()),
        ),
  )

const stop = (worker: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    worker.addObserver(() => resume(Effect.void))
    worker.interruptUnsafe()
  })
