/** Parses flags with a time: a duration before now, or a date. */
import * as Effect from "effect/Effect"
import { usage, type Refused } from "../Refused.ts"

/** Loads the parser only if a time is given. */
const durationIn = (text: string): Effect.Effect<number | undefined> =>
  Effect.promise(async () => (await import("@planloom/plugin/duration")).parseDuration(text))

export const ageFlag = (flag: string, text: string): Effect.Effect<number, Refused> =>
  Effect.flatMap(durationIn(text), (age) =>
    age === undefined
      ? Effect.fail(usage(`${flag} expects a duration, not "${text}"`, "90m, 12h, 30d or 8w"))
      : Effect.succeed(age),
  )

/** Parses a duration before now, or a date, which means its start in local time. Returns epoch milliseconds. */
export const timeFlag = (
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
          usage(
            `${flag} expects a duration or a date, not "${text}"`,
            "2h, 3d, 2026-03-01 or 2026-03-01T14:05",
          ),
        )
      : Effect.succeed(at)
  })
}
