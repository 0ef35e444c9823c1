/** A period as people and as machines write it: "2023", "Q2 2023", "May 5, 2023", "2023-05". */
import { monthNames } from "./relativePeriod.ts"
import type { Reading } from "./Reading.ts"

export interface Period {
  readonly start: number
  readonly end: number
  /** `2023`, `2023-Q2`, `2023-05`, `2023-05-17`; a month alone is `--05`. */
  readonly value: string
  readonly unit: "year" | "quarter" | "month" | "day"
}

const ordinals = ["first", "second", "third", "fourth"]
const spelled = /^([0-9]{1,2})(?:st|nd|rd|th)$/

const yearAt = (reading: Reading, at: number): string | undefined => {
  const token = reading.tokens[at]
  if (token === undefined || reading.isTaken(at)) return undefined
  return /^(1[89]|20|21)\d\d$/.test(token.text) ? token.text : undefined
}

const dayAt = (reading: Reading, at: number): string | undefined => {
  const word = reading.tokens[at]?.word ?? ""
  const day = Number(spelled.exec(word)?.[1] ?? word)
  return Number.isInteger(day) && day >= 1 && day <= 31 ? String(day).padStart(2, "0") : undefined
}

const skip = (reading: Reading, at: number) =>
  ["of", ","].includes(reading.stem(at)) ? at + 1 : at

/** A period written at this place, as people and as machines write them. */
export const periodAt = (reading: Reading, at: number): Period | undefined => {
  const { text = "", word = "" } = reading.tokens[at] ?? {}
  if (reading.isTaken(at)) return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { start: at, end: at + 1, value: text, unit: "day" }
  if (/^\d{4}-Q[1-4]$/.test(text)) return { start: at, end: at + 1, value: text, unit: "quarter" }
  if (/^\d{4}-\d{2}$/.test(text)) return { start: at, end: at + 1, value: text, unit: "month" }
  const quarter = /^q([1-4])$/.exec(word)?.[1]
  const ordinal = ordinals.indexOf(word) + 1
  if (quarter !== undefined || (ordinal > 0 && reading.stem(at + 1) === "quarter")) {
    const next = skip(reading, at + (quarter === undefined ? 2 : 1))
    const year = yearAt(reading, next)
    if (year === undefined) return undefined
    return { start: at, end: next + 1, value: `${year}-Q${quarter ?? ordinal}`, unit: "quarter" }
  }
  const month = monthNames.get(word)
  if (month !== undefined && !(word === "may" && !isMonthOfMay(reading, at))) {
    return monthPeriod(reading, at, month)
  }
  const day = dayAt(reading, at)
  const after = skip(reading, at + 1)
  const following = monthNames.get(reading.tokens[after]?.word ?? "")
  const year = yearAt(reading, skip(reading, after + 1))
  if (day !== undefined && following !== undefined && year !== undefined) {
    const end = skip(reading, after + 1) + 1
    return { start: at, end, value: `${year}-${following}-${day}`, unit: "day" }
  }
  const only = yearAt(reading, at)
  return only === undefined ? undefined : { start: at, end: at + 1, value: only, unit: "year" }
}

/** "may" is a verb unless a year or a word of time stands beside it. */
const isMonthOfMay = (reading: Reading, at: number) =>
  yearAt(reading, skip(reading, at + 1)) !== undefined ||
  ["in", "since", "during", "until", "before", "after"].includes(reading.stem(at - 1))

const monthPeriod = (reading: Reading, at: number, month: string): Period => {
  const next = skip(reading, at + 1)
  const year = yearAt(reading, next)
  if (year !== undefined) {
    return { start: at, end: next + 1, value: `${year}-${month}`, unit: "month" }
  }
  const day = dayAt(reading, at + 1)
  const later = yearAt(reading, skip(reading, at + 2))
  if (day !== undefined && later !== undefined) {
    const end = skip(reading, at + 2) + 1
    return { start: at, end, value: `${later}-${month}-${day}`, unit: "day" }
  }
  return { start: at, end: at + 1, value: `--${month}`, unit: "month" }
}
