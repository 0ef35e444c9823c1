/** The pause of a journal, whose end is a time: a run that goes on sleeps only for what is left of it. */
import * as Effect from "effect/Effect"

/** Epoch milliseconds; a time that has passed takes no turn. */
export const sleepUntil = (until: number): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.clockWith((clock) => clock.currentTimeMillis),
    (now) => (until > now ? Effect.sleep(until - now) : Effect.void),
  )
