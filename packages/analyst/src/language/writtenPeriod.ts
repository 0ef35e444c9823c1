/** Parses written periods: "2023", "Q2 2023", "last quarter of 2023", "May 5, 2023", "H1 2023". */
import type { Reading } from "./Reading.ts"
import { monthNames } from "./relativePeriod.ts"

export interface Period {
  readonly start: number
  readonly end: number
  /** `2023`, `2023-Q2`, `2023-05`, `2023-05-17`; without a year `--05` and `--Q2`. */
  readonly value: string
  readonly unit: "year" | "quarter" | "month" | "day"
  /** Its last part, when it is more than one: half a year is `2023-01` to `2023-06`. */
  readonly to?: string
}

interface Year {
  readonly year: string
  readonly end: number
}

const ordinals = ["first", "second", "third", "fourth"]
const spelled = /^([0-9]{1,2})(?:st|nd|rd|th)$/

const dayAt = (reading: Reading, at: number): string | undefined => {
  const word = reading.tokens[at]?.word ?? ""
  const day = Number(spelled.exec(word)?.[1] ?? word)
  return Number.isInteger(day) && day >= 1 && day <= 31 ? String(day).padStart(2, "0") : undefined
}

const skip = (reading: Reading, at: number) =>
  ["of", ","].includes(reading.stem(at)) ? at + 1 : at

const past = new Set(["last", "previous", "past"])
const present = new Set(["this", "current"])

/** "2023", "of 2023", "of last year": relative to the last day in the data. */
const yearAt = (reading: Reading, from: number): Year | undefined => {
  const at = skip(reading, from)
  const token = reading.tokens[at]
  if (token === undefined || reading.isTaken(at)) return undefined
  if (/^(1[89]|20|21)\d\d$/.test(token.text)) return { year: token.text, end: at + 1 }
  const back = past.has(token.stem) ? 1 : present.has(token.stem) ? 0 : undefined
  const max = /^\d{4}/.exec(String(reading.dateColumn()?.max ?? ""))?.[0]
  if (back === undefined || max === undefined || reading.stem(at + 1) !== "year") return undefined
  return { year: String(Number(max) - back), end: at + 2 }
}

/** "Q2", "second quarter", "last quarter", "H1", "first half", "last month": a part of a year. */
const partAt = (reading: Reading, at: number): (Part & { readonly end: number }) | undefined => {
  const word = reading.tokens[at]?.word ?? ""
  const short = /^([qh])([1-4])$/.exec(word)
  if (short?.[1] === "q") return { unit: "quarter", number: Number(short[2]), end: at + 1 }
  if (short?.[1] === "h" && Number(short[2]) < 3) {
    return { unit: "half", number: Number(short[2]), end: at + 1 }
  }
  const unit = (["quarter", "half", "month"] as const).find((one) => one === reading.stem(at + 1))
  const last = word === "last" || word === "final"
  const number = last && unit !== undefined ? counts[unit] : ordinals.indexOf(word) + 1
  if (unit === undefined || number < 1 || number > counts[unit]) return undefined
  return { unit, number, end: at + 2 }
}

interface Part {
  readonly unit: "quarter" | "half" | "month"
  /** From 1. */
  readonly number: number
}

const counts = { quarter: 4, half: 2, month: 12 }
const two = (value: number) => String(value).padStart(2, "0")

const partOf = ({ unit, number }: Part, year: string): Pick<Period, "value" | "unit" | "to"> => {
  if (unit === "quarter") return { unit, value: `${year}-Q${number}` }
  if (unit === "month") return { unit, value: `${year}-${two(number)}` }
  return {
    unit: "month",
    value: `${year}-${two(number * 6 - 5)}`,
    to: `${year}-${two(number * 6)}`,
  }
}

/** The period that starts at this index. */
export const periodAt = (reading: Reading, at: number): Period | undefined => {
  const { text = "", word = "" } = reading.tokens[at] ?? {}
  if (reading.isTaken(at)) return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { start: at, end: at + 1, value: text, unit: "day" }
  if (/^\d{4}-Q[1-4]$/.test(text)) return { start: at, end: at + 1, value: text, unit: "quarter" }
  if (/^\d{4}-\d{2}$/.test(text)) return { start: at, end: at + 1, value: text, unit: "month" }
  const part = partAt(reading, at)
  const of = part === undefined ? undefined : yearAt(reading, part.end)
  if (part !== undefined && of !== undefined) {
    return { start: at, end: of.end, ...partOf(part, of.year) }
  }
  if (part?.unit === "quarter" && part.end === at + 1) {
    return { start: at, end: part.end, unit: "quarter", value: `--Q${part.number}` }
  }
  const month = monthNames.get(word)
  if (month !== undefined && !(word === "may" && !isMonthOfMay(reading, at))) {
    return monthPeriod(reading, at, month)
  }
  const day = dayAt(reading, at)
  const after = skip(reading, at + 1)
  const following = monthNames.get(reading.tokens[after]?.word ?? "")
  const year = yearAt(reading, after + 1)
  if (day !== undefined && following !== undefined && year !== undefined) {
    return { start: at, end: year.end, value: `${year.year}-${following}-${day}`, unit: "day" }
  }
  const only = /^\d{4}$/.test(text) ? yearAt(reading, at) : undefined
  return only === undefined ? undefined : { start: at, end: at + 1, value: only.year, unit: "year" }
}

/** "may" is a verb unless a year or a time word is next to it. */
const isMonthOfMay = (reading: Reading, at: number) =>
  yearAt(reading, at + 1) !== undefined ||
  ["in", "since", "during", "until", "before", "after"].includes(reading.stem(at - 1))

const monthPeriod = (reading: Reading, at: number, month: string): Period => {
  const year = yearAt(reading, at + 1)
  if (year !== undefined) {
    return { start: at, end: year.end, value: `${year.year}-${month}`, unit: "month" }
  }
  const day = dayAt(reading, at + 1)
  const later = yearAt(reading, at + 2)
  if (day !== undefined && later !== undefined) {
    return { start: at, end: later.end, value: `${later.year}-${month}-${day}`, unit: "day" }
  }
  return { start: at, end: at + 1, value: `--${month}`, unit: "month" }
}

/** "March and June 2023": the one without a year takes the other's; "November to February 2023" starts in the year before. */
export const shareYear = (first: Period, second: Period): readonly [Period, Period] => {
  const bare = ({ value }: Period) => value.startsWith("--")
  const yearOf = ({ value }: Period) => Number(value.slice(0, 4))
  const within = (period: Period) => period.value.slice(bare(period) ? 2 : 5)
  if (bare(first) === bare(second) || first.unit !== second.unit) return [first, second]
  const later = within(second) >= within(first)
  return bare(first)
    ? [{ ...first, value: `${yearOf(second) - (later ? 0 : 1)}-${within(first)}` }, second]
    : [first, { ...second, value: `${yearOf(first) + (later ? 0 : 1)}-${within(second)}` }]
}
