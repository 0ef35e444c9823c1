/** Periods as items: "2023", "Q2 2023", "last quarter of 2023", "May 5, 2023", "H1 2023", "the past 3 months". */
import { define } from "./Form.ts"
import type { Period, RelativePeriod } from "./Item.ts"
import type { Reading } from "./Reading.ts"

const two = (value: number | string) => String(value).padStart(2, "0")
const lastDay = (reading: Reading): string => String(reading.dateColumn()?.max ?? "")

define("YEAR", "FULL_YEAR | (PAST | PRESENT) year", (found, reading) => {
  const max = /^\d{4}/.exec(lastDay(reading))?.[0]
  const back = found.first("PAST") === undefined ? 0 : 1
  return found.of("FULL_YEAR") ?? (max === undefined ? undefined : String(Number(max) - back))
})

const counts: { readonly [unit: string]: number } = { quarter: 4, half: 2, month: 12 }

/** A part of a year; a half is from one month to another. */
const partOf = (unit: string, number: number, year: string): Omit<Period, "start" | "end"> => {
  if (unit === "quarter") return { unit, value: `${year}-Q${number}` }
  if (unit === "month") return { unit, value: `${year}-${two(number)}` }
  const [from, to] = [two(number * 6 - 5), two(number * 6)]
  return { unit: "month", value: `${year}-${from}`, to: `${year}-${to}` }
}

/** Without a year it is `--05`, `--Q2` or `--05-17`. */
define(
  "PERIOD",
  "ISO | (SHORT_PART | ORDINAL (quarter | half | month)) (of | ,)? YEAR | MONTH (of | ,)? YEAR | " +
    "(MONTH DAY_NUMBER | DAY_NUMBER of? MONTH) ((of | ,)? FULL_YEAR)? | SHORT_PART | MONTH | FULL_YEAR",
  (found, reading) => {
    const { end, start } = found
    const place = { start, end }
    const year = found.of("YEAR") ?? found.of("FULL_YEAR")
    const iso = found.of("ISO")
    if (iso !== undefined) {
      const unit = iso.includes("Q") ? "quarter" : iso.length > 7 ? "day" : "month"
      return { ...place, value: iso, unit }
    }
    const month = found.of("MONTH")
    if (month !== undefined) {
      const day = found.of("DAY_NUMBER")
      const value = [year ?? "-", month, ...(day === undefined ? [] : [two(day)])].join("-")
      return { ...place, value, unit: day === undefined ? "month" : "day" }
    }
    const short = found.of("SHORT_PART")
    if (short !== undefined) {
      const [unit, number] = [short[0] === "q" ? "quarter" : "half", Number(short[1])]
      if (year === undefined && unit === "half") return undefined
      return { ...place, ...partOf(unit, number, year ?? "-") }
    }
    const ordinal = found.first("ORDINAL")
    if (ordinal === undefined || year === undefined)
      return year === undefined ? undefined : { ...place, value: year, unit: "year" }
    const unit = reading.stem(ordinal.end)
    const number = ordinal.of === "last" ? counts[unit] : Number(ordinal.of)
    const isKnown = number !== undefined && number <= (counts[unit] ?? 0)
    return isKnown ? { ...place, ...partOf(unit, number, year) } : undefined
  },
)

const DAY_MS = 86_400_000
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The calendar unit `back` units before the one of `last`. */
const calendar = (last: Date, unit: string, back: number): string => {
  const [year, month] = [last.getUTCFullYear(), last.getUTCMonth()]
  if (unit === "year") return String(year - back)
  if (unit === "quarter") {
    const quarter = year * 4 + Math.floor(month / 3) - back
    return `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`
  }
  return new Date(Date.UTC(year, month - back, 1)).toISOString().slice(0, 7)
}

const monthsIn: { readonly [unit: string]: number } = { month: 1, quarter: 3, year: 12 }

/** The day before a period of `count` units that ends on `last`. */
const stretch = (last: Date, unit: string, count: number): string => {
  const time = last.getTime()
  if (unit === "day" || unit === "week")
    return dayOf(time - (unit === "day" ? 1 : 7) * count * DAY_MS)
  const back = count * (monthsIn[unit] ?? 1)
  const [year, month, day] = [last.getUTCFullYear(), last.getUTCMonth(), last.getUTCDate()]
  const length = new Date(Date.UTC(year, month - back + 1, 0)).getUTCDate()
  // The end of a month is the end of every month.
  const whole = day === new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - back, whole ? length : Math.min(day, length)))
}

/** Relative times are counted from the last moment in the data, not from today. */
define("RELATIVE", "(PAST | PRESENT) NUMBER? UNIT_OF_TIME | TO_DATE", (found, reading) => {
  const day = lastDay(reading).slice(0, 10)
  const last = new Date(`${day}T00:00:00Z`)
  const known = !Number.isNaN(last.getTime())
  if (found.first("TO_DATE") !== undefined)
    return { unit: "year", op: ">=", value: known ? day.slice(0, 4) : undefined }
  const isPast = found.first("PAST") !== undefined
  const count = found.of("NUMBER")
  const unit = (found.of("UNIT_OF_TIME") ?? "day") as RelativePeriod["unit"]
  if (count !== undefined || unit === "day" || unit === "week")
    return isPast
      ? { unit, op: ">", value: known ? stretch(last, unit, count ?? 1) : undefined }
      : undefined
  return { unit, op: "=", value: known ? calendar(last, unit, isPast ? 1 : 0) : undefined }
})

const yearOf = ({ value }: Period) => Number(value.slice(0, 4))

/** "March and June 2023": the one without a year takes the other's; "November to February 2023" starts in the year before. */
export const shareYear = (first: Period, second: Period): readonly [Period, Period] => {
  const bare = ({ value }: Period) => value.startsWith("--")
  const within = (period: Period) => period.value.slice(bare(period) ? 2 : 5)
  if (bare(first) === bare(second) || first.unit !== second.unit) return [first, second]
  const later = within(second) >= within(first)
  return bare(first)
    ? [{ ...first, value: `${yearOf(second) - (later ? 0 : 1)}-${within(first)}` }, second]
    : [first, { ...second, value: `${yearOf(first) + (later ? 0 : 1)}-${within(second)}` }]
}
