/** A journal whose steps wait for the reader of the run's events. */
import * as Effect from "effect/Effect"
import type { Journal } from "@planloom/plugin/effect"

export const paced = (
  pace: (() => Effect.Effect<void> | undefined) | undefined,
  journal: Journal,
): Journal =>
  pace === undefined
    ? journal
    : (Object.create(journal, {
        step: {
          value: (...given: Parameters<Journal["step"]>) =>
            Effect.suspend(() => {
              const step = journal.step(...given)
              const waiting = pace()
              return waiting === undefined ? step : Effect.andThen(waiting, step)
            }),
        },
      }) as Journal)
