/** Times and ages as flags: a duration before now, or a date. */
import * as Effect from "effect/Effect"
import { usage, type Refused } from "../Refused.ts"

/** Loads the engine only where a time was given. */
const durationIn = (text: string): Effect.Effect<number | undefined> =>
  Effect.promise(async () => (await import("@planloom/plugin/duration")).parseDuration(text))

export const ageGiven = (flag: string, text: string): Effect.Effect<number, Refused> =>
  Effect.flatMap(durationIn(text), (age) =>
    age === undefined
      ? Effect.fail(usage(`${flag} wants a time, not "${text}"`, "90m, 12h, 30d or 8w"))
      : Effect.succeed(age),
  )

/** How long ago, or when: a date is the beginning of that day here. In epoch milliseconds. */
export const timeGiven = (
  flag: string,
  text: string | undefined,
  now: number,
): Effect.Effect<number | undefined, Refused> => {
  if (text === undefined) return Effect.undefined
  return Effect.flatMap(durationIn(text), (age) => {
    if (age !== undefined) return Effect.succeed(now - age)
    const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
    return Number.isNaN(at)
      ? Effect.fail(
          usage(`${flag} wants a time, not "${text}"`, "2h, 3d, 2026-03-01 or 2026-03-01T14:05"),
        )
      : Effect.succeed(at)
  })
}
