/** Reads periods that limit a question: "in 2023", "since March 2022", "2022 vs 2023". */
import type { FilterOp } from "@planloom/tables"
import { define, reader, type Found } from "../Form.ts"
import type { Period } from "../Item.ts"
import { limitTo } from "../limitTo.ts"
import type { Reading } from "../Reading.ts"
import { readRange } from "./readRanges.ts"
import { separate } from "../separate.ts"

const two = (value: number | string) => String(value).padStart(2, "0")

/** Parts of a year by their number; without a year a period is `--05`, `--Q2` or `--05-17`. */
const counts: { readonly [unit: string]: number } = { quarter: 4, month: 12 }

define(
  "PERIOD",
  "ISO | (SHORT_PART | ORDINAL (quarter | month)) (of | ,)? FULL_YEAR | MONTH (of | ,)? FULL_YEAR | " +
    "(MONTH DAY_NUMBER | DAY_NUMBER of? MONTH) ((of | ,)? FULL_YEAR)? | SHORT_PART | MONTH | FULL_YEAR",
  (found, reading): Period | undefined => {
    const { end, start } = found
    const place = { start, end }
    const year = found.of("FULL_YEAR") ?? "-"
    const iso = found.of("ISO")
    if (iso !== undefined) {
      const unit = iso.includes("Q") ? "quarter" : iso.length > 7 ? "day" : "month"
      return { ...place, value: iso, unit }
    }
    const month = found.of("MONTH")
    if (month !== undefined) {
      const day = found.of("DAY_NUMBER")
      const value = [year, month, ...(day === undefined ? [] : [two(day)])].join("-")
      return { ...place, value, unit: day === undefined ? "month" : "day" }
    }
    const short = found.of("SHORT_PART")
    if (short !== undefined) return { ...place, value: `${year}-Q${short}`, unit: "quarter" }
    const ordinal = found.first("ORDINAL")
    if (ordinal === undefined) return { ...place, value: year, unit: "year" }
    const unit = reading.stem(ordinal.end) as "quarter" | "month"
    const number = ordinal.of === "last" ? counts[unit] : ordinal.of
    return { ...place, value: `${year}-${unit === "quarter" ? `Q${number}` : two(number!)}`, unit }
  },
)

const opOf = (found: Found): FilterOp =>
  found.first("NOT") === undefined ? ((found.of("WHEN") ?? "=") as FilterOp) : "!="

/** "2022 vs 2023", "2021, 2022 and 2023". */
const readSeveral = (found: Found, reading: Reading): boolean => {
  const periods = found.all("PERIOD").map(({ of }) => of)
  const [first] = periods
  if (first === undefined || periods.some(({ unit }) => unit !== first.unit)) return false
  // "2021, 2023 to 2025"
  const hasRange = found.all("AGAINST").some(({ start }) => reading.stem(start) === "to")
  if (hasRange && periods.length > 2) {
    reading.lacks(
      found.start,
      found.end,
      `Which time is "${reading.textOf(found.start, found.end)}"?`,
    )
    return true
  }
  limitTo(reading, periods, opOf(found) === "!=" ? "not_in" : "in", [found.start, found.end])
  const asked = reading.tokens.some(({ stem }) => stem === "compare" || stem === "comparison")
  if (asked || found.all("AGAINST").some(({ of }) => of === "compare")) {
    reading.analysis.add("compare")
    reading.claim(["analysis:compare", "time"], first.start, found.end)
    separate(reading, first.unit)
  }
  return true
}

/** A year after "over" is a number. */
const readPeriod = (found: Found, reading: Reading): boolean => {
  const period = found.of("PERIOD")
  if (period === undefined) return false
  const isValue = reading.mention(period.start)?.value !== undefined
  if (isValue && reading.dateColumn() === undefined) return false
  const before = reading.stem(period.start - 1)
  const isNumber = ["over", "above", "than", "under", "below", ">", "<", "="].includes(before)
  if (isNumber && period.unit === "year") return false
  limitTo(reading, [period], opOf(found), [found.start, found.end])
  return true
}

/** No column says from which day "last month" counts. */
const askDates = ({ end, start }: Found, reading: Reading): void =>
  reading.lacks(start, end, `Which dates are "${reading.textOf(start, end)}"?`)

export const readPeriods = reader([
  ["(NOT | WHEN)? RANGE", readRange],
  ["(NOT | WHEN)? the? PERIOD ((, | , AGAINST | AGAINST) the? PERIOD)+", readSeveral],
  ["(NOT | WHEN)? the? PERIOD", readPeriod],
  ["the? (PAST | PRESENT) NUMBER? UNIT_OF_TIME | TO_DATE", askDates],
])
