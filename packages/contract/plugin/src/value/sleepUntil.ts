/** Sleeps until a point in time, so that a resumed run sleeps only for the remaining time. */
import * as Effect from "effect/Effect"

/** `until` is in epoch milliseconds; returns immediately if it has passed. */
export const sleepUntil = (until: number): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.clockWith((clock) => clock.currentTimeMillis),
    (now) => (until > now ? Effect.sleep(until - now) : Effect.void),
  )
