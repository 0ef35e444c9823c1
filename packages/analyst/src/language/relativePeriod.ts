/** Resolves periods relative to the last date: "last year", "the past 3 months", "this quarter". */
import { months } from "@planloom/planning/reading"
import type { FilterOp } from "@planloom/tables"
import { smallNumbers } from "./numberWords.ts"
import type { Reading } from "./Reading.ts"

/** Names and short names → two digits. */
export const monthNames: ReadonlyMap<string, string> = new Map(
  months.flatMap((name, at) => {
    const digits = String(at + 1).padStart(2, "0")
    const short = name === "september" ? ["sep", "sept"] : [name.slice(0, 3)]
    return [name, ...short].map((one) => [one, digits] as const)
  }),
)

type Unit = "day" | "week" | "month" | "quarter" | "year"

export interface RelativePeriod {
  readonly end: number
  readonly unit: Unit
  readonly op: FilterOp
  /** Undefined when the data has no last day to count from. */
  readonly value: string | undefined
}

const DAY_MS = 86_400_000
const units: ReadonlyArray<Unit> = ["day", "week", "month", "quarter", "year"]
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The calendar unit `back` units before the one of `last`. */
const calendar = (last: Date, unit: Unit, back: number): string => {
  const [year, month] = [last.getUTCFullYear(), last.getUTCMonth()]
  if (unit === "year") return String(year - back)
  if (unit === "quarter") {
    const quarter = year * 4 + Math.floor(month / 3) - back
    return `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`
  }
  return new Date(Date.UTC(year, month - back, 1)).toISOString().slice(0, 7)
}

/** The day before a period of `count` units that ends on `last`. */
const stretch = (last: Date, unit: Unit, count: number): string => {
  const time = last.getTime()
  if (unit === "day") return dayOf(time - count * DAY_MS)
  if (unit === "week") return dayOf(time - 7 * count * DAY_MS)
  const back = count * { month: 1, quarter: 3, year: 12 }[unit]
  const [year, month, day] = [last.getUTCFullYear(), last.getUTCMonth(), last.getUTCDate()]
  const length = new Date(Date.UTC(year, month - back + 1, 0)).getUTCDate()
  // The last day of a month counts back to the last day of a month.
  const whole = day === new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - back, whole ? length : Math.min(day, length)))
}

/** `max` is the last moment in the data, ISO; relative times are counted from it, not from today. */
export const relativePeriod = (
  reading: Reading,
  at: number,
  max: string,
): RelativePeriod | undefined => {
  const word = reading.stem(at)
  const past = ["last", "past", "previous", "recent", "preceding", "prior"].includes(word)
  const present = word === "this" || word === "current"
  if ((!past && !present) || reading.isTaken(at)) return undefined
  const token = reading.tokens[at + 1]
  const count = token?.kind === "number" ? token.value : smallNumbers.get(token?.word ?? "")
  const place = at + (count === undefined ? 1 : 2)
  const unit = units.find((one) => one === reading.stem(place))
  if (unit === undefined || !reading.areFree(at, place + 1)) return undefined
  const last = new Date(`${max.slice(0, 10)}T00:00:00Z`)
  const known = !Number.isNaN(last.getTime())
  const end = place + 1
  if (count !== undefined || unit === "day" || unit === "week") {
    if (present) return undefined
    const value = known ? stretch(last, unit, count ?? 1) : undefined
    return { end, unit, op: ">", value }
  }
  return { end, unit, op: "=", value: known ? calendar(last, unit, past ? 1 : 0) : undefined }
}
