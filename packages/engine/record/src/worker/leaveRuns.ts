/** Leaves the runs of a worker that stops, within a bounded time. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Cancellation } from "@planloom/core"

/** A run that a worker executes. */
export interface RunUnderWay {
  /** Whether it may be what made its last owner fall silent. */
  readonly isSuspect: boolean
  readonly cancellation: Cancellation
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

/** How long interrupted steps, and the `finally` stages of cancelled runs, may take when the time to drain is over. */
const INTERRUPTED_MS = 2000

/**
 * Lets the steps under way end and be recorded; after `drain` milliseconds it interrupts them. Runs that end in neither
 * way are abandoned, as if the process had been killed. Without `drain` it waits for every step.
 */
export const leaveRuns = (
  runs: Iterable<RunUnderWay>,
  drain: number | undefined,
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const all = [...runs]
    const left = (mode: "after" | "now") => {
      for (const { cancellation } of all) cancellation.leave(mode)
      return Effect.asVoid(Fiber.awaitAll(all.map(({ fiber }) => fiber)))
    }
    return drain === undefined
      ? left("after")
      : Effect.flatMap(isDone(left("after"), drain), (done) =>
          done ? Effect.void : Effect.asVoid(isDone(left("now"), INTERRUPTED_MS)),
        )
  })

/** Whether the work is done within `ms`; after that it is no longer waited for. For finalizers, which are uninterruptible. */
const isDone = (work: Effect.Effect<void>, ms: number): Effect.Effect<boolean> =>
  Effect.raceFirst(
    Effect.interruptible(Effect.as(work, true)),
    Effect.interruptible(Effect.as(Effect.sleep(ms), false)),
  )
