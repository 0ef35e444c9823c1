/** Reads recurring times: "by weekday", "busiest hour", "on Mondays", "month of the year". */
import type { TimePart } from "../requirements/Requirements.ts"
import { phraseBook, words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

const parts = phraseBook({
  weekday: ["weekday", "week day", "day of the week", "day of week", "days of the week"],
  month: ["month of the year", "month of year", "calendar month"],
  quarter: ["quarter of the year", "quarter of year"],
  day: ["day of the month", "day of month"],
  hour: ["hour of the day", "hour of day", "time of day", "time of the day", "hour"],
})
/** "which month is the driest": a habit, where "which month was" asks for one of them. */
const habitual = words("is, are, do, does, has, have")
const asked = phraseBook({ weekday: ["day"], month: ["month"], quarter: ["quarter"] })

const habitAt = (reading: Reading, at: number) => {
  const isAsked = ["which", "what"].includes(reading.stem(at - 1))
  const tense = reading.phrase(at + 1, habitual)
  return isAsked && tense !== undefined && reading.tokens[at]?.word === reading.stem(at)
    ? reading.phrase(at, asked)
    : undefined
}

const unserved = words("week of the year, day of the year, seasonality, seasonal pattern, seasonal")
const weekdays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ")
const days = phraseBook({
  ...Object.fromEntries(weekdays.map((day) => [day, [day]])),
  weekend: ["weekend"],
})
const led = words("on, on a, during, during the, at, at the, only on, over the")

/** The column of a recurring part of the date; adds it to the requirements. */
const columnFor = (reading: Reading, part: TimePart): string | undefined => {
  const date = reading.dateColumn()
  if (date === undefined) return undefined
  const names = new Set(reading.profile.columns.map(({ name }) => name.toLowerCase()))
  const as = names.has(part) ? `${date.name} ${part}` : part
  const known = reading.constraints.some((one) => one.kind === "time_part" && one.as === as)
  if (!known) reading.constraints.push({ kind: "time_part", column: date.name, part, as })
  return as
}

const isTimed = (reading: Reading): boolean => /\d{2}:\d{2}/.test(String(reading.dateColumn()?.max))

/** Hours of a long time are of the day; those of a day or two stand one after another. */
const spansDays = (reading: Reading): boolean => {
  const { max, min } = reading.dateColumn() ?? {}
  return Date.parse(String(max)) - Date.parse(String(min)) > MIN_SPAN_MS
}
const MIN_SPAN_MS = 3 * 86_400_000

export const readCycles = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const day = reading.phrase(at, days)
    const named = reading.mention(at)
    if (named !== undefined && (named.quality >= 0.9 || named.value !== undefined)) continue
    if (day !== undefined) {
      const as = columnFor(reading, "weekday")
      if (as === undefined) continue
      const lead = reading.phraseBefore(at, led)
      const refusal = reading.phraseBefore(lead?.start ?? at, reading.lexicon.negations)
      reading.claim(
        [`filter:${as}`, `time_part:${as}`],
        refusal?.start ?? lead?.start ?? at,
        at + 1,
      )
      const value = day.label === "weekend" ? ["Saturday", "Sunday"] : [day.label]
      const known = reading.constraints.find((one) => one.kind === "filter" && one.column === as)
      const all = known?.kind === "filter" ? [known.value, value].flat(2) : value
      if (known !== undefined) reading.constraints.splice(reading.constraints.indexOf(known), 1)
      const op = refusal === undefined ? "in" : "not_in"
      reading.constraints.push({ kind: "filter", column: as, op, value: all as Array<string> })
      continue
    }
    const match = reading.phrase(at, parts) ?? habitAt(reading, at)
    const none = reading.phrase(at, unserved)
    if (none !== undefined) {
      const said = reading.textOf(at, at + none.length)
      reading.lacks(at, at + none.length, `I cannot group by "${said}".`)
    }
    if (match === undefined) continue
    const isHour = match.label === "hour"
    if (
      isHour &&
      (reading.tokens[at]?.word === "hours" ||
        !isTimed(reading) ||
        (match.length === 1 && !spansDays(reading)))
    )
      continue
    const as = columnFor(reading, match.label as TimePart)
    if (as === undefined) continue
    const lead = reading.phraseBefore(at, groupers)
    reading.groupBy.add(as)
    reading.claim([`group_by:${as}`, `time_part:${as}`], lead?.start ?? at, at + match.length)
  }
}

const groupers = words(
  "by, per, by the, each, for each, on which, which, at which, at what, what, on what, every, in which, in what, across, on each",
)
