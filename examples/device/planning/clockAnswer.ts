/** What a clock and a calendar on the wall answer: which time it is, which day. */
import { folded, plainly } from "../language/words.ts"

/** The user's day, as `2026-11-21`, and the time, as it is to be told. */
export interface Moment {
  readonly today: string
  readonly time: string
}

const asked =
  "(?:(?:do you (?:know|have)|have you got|you got|got|tell me|give me|show me|check) )?(?:(?:what|which)(?:'s|s| is)? )?(?:the |today's )?(?:current |exact |local )?"

const now =
  "(?: (?:is it|it is|is|it|now|right now|today|here|please|currently|at the moment))*[?!. ]*$"

const time = new RegExp(`^(?:${asked}time${now}|how late is it${now})`)

const day = new RegExp(`^${asked}(?:date|day|weekday)(?: of the week)?${now}`)

/** Undefined for any other question, such as what time a meeting is, or it is elsewhere. */
export const clockAnswer = (line: string, moment: Moment): string | undefined => {
  const said = plainly(folded(line).trim())
  if (time.test(said)) return `It is ${moment.time}.`
  if (!day.test(said)) return undefined
  const date = new Date(`${moment.today}T00:00:00Z`)
  const told = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const
  return `It is ${date.toLocaleDateString("en-GB", { ...told, timeZone: "UTC" })}.`
}
