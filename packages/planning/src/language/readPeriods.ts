/** Stretches of time a question is limited to: "in 2023", "since March 2022", "last quarter", "2022 vs 2023". */
import type { Column } from "../DataProfile.ts"
import type { FilterOp } from "../Requirements.ts"
import { relativePeriod } from "./relativePeriod.ts"
import { periodAt } from "./writtenPeriod.ts"
import type { Period } from "./writtenPeriod.ts"
import { words } from "./PhraseBook.ts"
import type { PhraseBook } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

const since = words(
  "since",
  "starting",
  "starting in",
  "starting from",
  "beginning",
  "beginning in",
  "from",
  "as of",
)
const after = words("after", "later than", "following")
const before = words("before", "prior to", "earlier than")
const until = words("until", "till", "through", "up to", "up until", "by the end of", "to")
const inside = words(
  "in",
  "during",
  "for",
  "of",
  "only",
  "just",
  "within",
  "on",
  "at",
  "in the year",
  "in year",
  "for the year",
  "the year",
  "only for",
  "only in",
  "year",
  "the month of",
  "in the",
)
const versus = words(
  "vs",
  "versus",
  "compared to",
  "compared with",
  "against",
  "relative to",
  "over",
  "than in",
  "and",
  "with",
  "to",
)
const comparing = words(
  "vs",
  "versus",
  "compared to",
  "compared with",
  "compare to",
  "compare with",
  "against",
  "relative to",
  "than in",
)

const operators: ReadonlyArray<readonly [PhraseBook, FilterOp]> = [
  [before, "<"],
  [after, ">"],
  [until, "<="],
  [since, ">="],
  [inside, "="],
]

const operatorBefore = (
  reading: Reading,
  at: number,
): { readonly op: FilterOp; readonly start: number } => {
  const { negations } = reading.lexicon
  for (const [book, op] of [[negations, "!="] as const, ...operators]) {
    const match = reading.phraseBefore(at, book)
    if (match !== undefined && reading.areFree(match.start, at)) return { op, start: match.start }
  }
  return { op: "=", start: at }
}

/** Where dates are, or years as numbers; says so when there is neither. */
const target = (
  reading: Reading,
  period: Period,
): { column: Column; value: string | number } | undefined => {
  const date = reading.dateColumn()
  if (date !== undefined) {
    const value = completeMonth(reading, date, period.value)
    return value === undefined ? undefined : { column: date, value }
  }
  const year = reading.yearColumn()
  if (year !== undefined && period.unit === "year")
    return { column: year, value: Number(period.value) }
  const said = reading.textOf(period.start, period.end)
  reading.missing.push(said)
  reading.questions.push(
    `The data has no dates, so it cannot be limited to "${said}". Go on without?`,
  )
  return undefined
}

/** A month without a year is clear only when the data has it once. */
const completeMonth = (
  reading: Reading,
  { min, max }: Column,
  value: string,
): string | undefined => {
  if (!value.startsWith("--")) return value
  const month = value.slice(2)
  const [from, to] = [String(min).slice(0, 7), String(max).slice(0, 7)]
  const years: Array<string> = []
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
    const candidate = `${year}-${month}`
    if (candidate >= from && candidate <= to) years.push(candidate)
  }
  if (years.length === 1) return years[0]
  reading.missing.push(`month ${Number(month)}`)
  reading.questions.push(`Month ${Number(month)} of which year?`)
  return undefined
}

const apply = (reading: Reading, periods: ReadonlyArray<Period>, op: FilterOp) => {
  const found = periods.flatMap((period) => target(reading, period) ?? [])
  const [first] = found
  if (first === undefined || found.length < periods.length) return
  const values = found.map(({ value }) => value)
  reading.filter(first.column, op, periods.length === 1 ? first.value : values)
}

/** "between 2021 and 2023", "from March 2022 to May 2023", "2021-2023". */
const range = (reading: Reading, first: Period): number | undefined => {
  const joint = reading.stem(first.end)
  const second = periodAt(reading, first.end + 1)
  if (second === undefined) return undefined
  const opening = reading.stem(first.start - 1)
  const closed = opening === "between" && joint === "and"
  const spanned =
    ["to", "until", "till", "through", "–"].includes(joint) ||
    (joint === "-" && first.unit === "year")
  if (!closed && !spanned) return undefined
  reading.take(["between", "from"].includes(opening) ? first.start - 1 : first.start, second.end)
  apply(reading, [first, second], "between")
  return second.end
}

/** "2022 vs 2023", "2021, 2022 and 2023". */
const several = (reading: Reading, first: Period): number | undefined => {
  const periods = [first]
  let { end } = first
  let compared = false
  for (;;) {
    const comma = reading.stem(end) === "," ? 1 : 0
    const match = reading.phrase(end + comma, versus)
    const place = end + comma + (match?.length ?? 0)
    const next = periodAt(reading, reading.stem(place) === "the" ? place + 1 : place)
    if (next === undefined || next.unit !== first.unit || comma + (match?.length ?? 0) === 0) break
    compared ||= reading.phrase(end + comma, comparing) !== undefined
    periods.push(next)
    ;({ end } = next)
  }
  if (periods.length === 1) return undefined
  const { op, start } = operatorBefore(reading, first.start)
  reading.take(start, end)
  apply(reading, periods, op === "!=" ? "not_in" : "in")
  const asked = reading.tokens.some(({ stem }) => stem === "compare" || stem === "comparison")
  if (compared || asked) {
    reading.analysis.add("compare")
    // Periods can only be told apart when time divides the rows.
    if (reading.dateColumn() !== undefined) reading.grain = first.unit
    else if (reading.yearColumn() !== undefined)
      reading.groupBy.add(reading.yearColumn()?.name as string)
  }
  return end
}

/** "2024 compared with last year" speaks of both. */
const widen = (reading: Reading, column: Column | undefined, value: string | undefined): void => {
  const at = reading.constraints.findIndex(
    (one) => one.kind === "filter" && one.op === "=" && one.column === column?.name,
  )
  const limit = reading.constraints[at]
  if (limit?.kind !== "filter" || value === undefined || limit.value === value) return
  const both = [value, String(limit.value)].toSorted()
  reading.constraints[at] = { ...limit, op: "in", value: both }
}

const readRelative = (reading: Reading, at: number): number | undefined => {
  const column = reading.dateColumn()
  const found = relativePeriod(reading, at, String(column?.max ?? ""))
  if (found === undefined) return undefined
  const compared = reading.phraseBefore(at, comparing)
  if (compared !== undefined) {
    reading.take(compared.start, found.end)
    reading.analysis.add("compare")
    if (reading.grain === "unknown") reading.grain = found.unit
    widen(reading, column, found.value)
    return found.end
  }
  const said = reading.textOf(at, found.end)
  const { start } = operatorBefore(reading, at)
  reading.take(start, found.end)
  if (column === undefined || found.value === undefined) {
    reading.missing.push(said)
    reading.questions.push(
      `The data has no dates, so it cannot be limited to "${said}". Go on without?`,
    )
    return found.end
  }
  reading.filter(column, found.op, found.value)
  reading.notes.push(
    `"${said}" counted back from ${String(column.max).slice(0, 10)}, the last day in the data`,
  )
  return found.end
}

export const readPeriods = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const passed = readRelative(reading, at)
    if (passed !== undefined) {
      at = passed - 1
      continue
    }
    const period = periodAt(reading, at)
    if (period === undefined) continue
    const end = range(reading, period) ?? several(reading, period)
    if (end !== undefined) {
      at = end - 1
      continue
    }
    // A four-digit number after "over" or a measure's name is a number.
    const { op, start } = operatorBefore(reading, period.start)
    const measured = ["over", "above", "than", "under", "below", ">", "<", "="].includes(
      reading.stem(period.start - 1),
    )
    if (measured && period.unit === "year") continue
    reading.take(start, period.end)
    apply(reading, [period], op)
    at = period.end - 1
  }
}
