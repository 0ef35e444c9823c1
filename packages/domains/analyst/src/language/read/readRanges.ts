/** Reads ranges of periods: "2022 to 2024", "from March 2022 to May 2023", "between 2021 and 2023", "2021-2023". */
import { define, type Found } from "../Form.ts"
import type { Period, PeriodRange } from "../Item.ts"
import { wordsOf } from "../findItems.ts"
import { limitTo } from "../limitTo.ts"
import type { Reading } from "../Reading.ts"
import { separate } from "../separate.ts"

define(
  "RANGE",
  "(between | from)? the? year? PERIOD (and | TILL | – | -) the? year? PERIOD",
  (found, reading): PeriodRange | undefined => {
    const [first, next] = found.all("PERIOD").map(({ of }) => of)
    if (first === undefined || next === undefined) return undefined
    const lead = reading.stem(found.start)
    if (reading.stem(first.end) === "and" && lead !== "between") return undefined
    // "2019-2020" can be the name of a season.
    const isValue = reading.mentions.some(
      ({ end, start, value }) => value !== undefined && start <= first.start && end >= next.end,
    )
    return isValue ? undefined : { first, next }
  },
)

/** Whether the second period begins before the first one; those without a year are not compared. */
const isReversed = (first: Period, next: Period): boolean => {
  if (first.value.startsWith("-") || next.value.startsWith("-")) return false
  const length = first.unit === next.unit ? 10 : 4
  return next.value.slice(0, length) < first.value.slice(0, length)
}

const isLed = ({ start }: Found, { first }: PeriodRange, reading: Reading): boolean =>
  reading.tokens.slice(start, first.start).some(({ stem }) => stem === "from" || stem === "between")

const asksFor = ({ tokens }: Reading, words: ReadonlyArray<string>): boolean =>
  tokens.some(({ stem }) => words.includes(stem))

/** "growth from 2021 to 2023" is a change between two years, "growth per month from 2021 to 2023" has all between. */
const isChange = (reading: Reading, { first, next }: PeriodRange, found: Found): boolean =>
  first.unit === next.unit &&
  reading.tokens.some((_, at) => reading.phrase(at, wordsOf("CHANGE"))) &&
  !reading.tokens.some(
    (_, at) =>
      (at < found.start || at >= found.end) &&
      reading.phrase(at, reading.lexicon.grains) !== undefined,
  )

/** Everything from the first to the last day of a range; asks where the words can mean something else. */
export const readRange = (found: Found, reading: Reading): boolean => {
  const range = found.of("RANGE")
  if (range === undefined) return false
  const { first, next } = range
  const led = isLed(found, range, reading)
  const said = reading.textOf(first.start, next.end)
  const place = [found.start, found.end] as const
  const op = found.of("WHEN") ?? "="
  if (found.first("NOT") !== undefined || !["=", ">="].includes(op) || isReversed(first, next)) {
    reading.lacks(...place, `Which time is "${reading.textOf(...place)}"?`)
    return true
  }
  if (!led && asksFor(reading, ["compare", "comparison", "comparing"])) {
    // "compare 2022 to 2023"
    if (reading.stem(found.start - 1) === "compare" && reading.stem(first.end) === "to")
      return false
    const [from, to] = [first, next].map(({ end, start }) => reading.textOf(start, end))
    reading.lacks(...place, `Is "${said}" all of that time, or only its ends?`, [
      `from ${from} to ${to}`,
      `${from} and ${to}`,
    ])
    return true
  }
  if (led && isChange(reading, range, found)) {
    limitTo(reading, [first, next], "in", place)
    reading.analysis.add("change")
    reading.claim(["analysis:change", "time"], ...place)
    separate(reading, first.unit)
    return true
  }
  limitTo(reading, [first, next], "between", place)
  reading.noteRange(first.start, next.end)
  return true
}
