/** Reads periods that limit a question: "in 2023", "since March 2022", "last quarter", "2022 vs 2023". */
import type { Column, FilterOp } from "@planloom/tables"
import { words } from "./PhraseBook.ts"
import type { PhraseBook } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { cannotLimit, limitTo } from "./limitTo.ts"
import { relativePeriod } from "./relativePeriod.ts"
import { periodAt, shareYear } from "./writtenPeriod.ts"
import type { Period } from "./writtenPeriod.ts"

const since = words(
  "since, starting, starting in, starting from, beginning, beginning in, from, as of",
)
const after = words("after, later than, following")
const before = words("before, prior to, earlier than")
const until = words("until, till, through, up to, up until, by the end of, to")
const inside = words(
  "in, during, for, of, only, just, within, on, at, in the year, in year, for the year, " +
    "the year, only for, only in, year, the month of, in the",
)
const versus = words(
  "vs, versus, compared to, compared with, compare to, compare with, compare against, " +
    "against, relative to, over, than in, and, with, to",
)
const comparing = words(
  "vs, versus, compared to, compared with, compare to, compare with, compare against, " +
    "against, relative to, than in",
)
/** "over the last 3 months" */
const spanning = words("over, over the, in the, during the, for the, within the")
const toDate = words("year to date, ytd, so far this year, this year so far")

const operators: ReadonlyArray<readonly [PhraseBook, FilterOp]> = [
  [before, "<"],
  [after, ">"],
  [until, "<="],
  [since, ">="],
  [inside, "="],
]

/** The comparison that the words before a period express, skipping an article: "since the second quarter". */
const operatorBefore = (
  reading: Reading,
  at: number,
): { readonly op: FilterOp; readonly start: number } => {
  const { negations } = reading.lexicon
  const places = reading.stem(at - 1) === "the" ? [at - 1, at] : [at]
  for (const place of places) {
    for (const [book, op] of [[negations, "!="] as const, ...operators]) {
      const match = reading.phraseBefore(place, book)
      if (match !== undefined && reading.areFree(match.start, at)) return { op, start: match.start }
    }
  }
  return { op: "=", start: at }
}

/** Periods can only be separated if time groups the rows. */
const divideBy = (reading: Reading, unit: Period["unit"]): void => {
  const year = reading.yearColumn()
  if (reading.dateColumn() !== undefined) reading.grain = unit
  else if (year !== undefined) {
    reading.groupBy.add(year.name)
    reading.follow(`group_by:${year.name}`, "analysis:compare", "analysis:change")
  }
}

const changing = words(
  "change, changed, growth, grow, grew, grown, increase, increased, decrease, decreased, difference, drop, dropped, " +
    "fall, fell, rise, rose, decline, declined, gain",
)

/** "between 2021 and 2023", "from March 2022 to May 2023", "2021-2023". */
const range = (reading: Reading, first: Period): number | undefined => {
  const joint = reading.stem(first.end)
  const next = periodAt(reading, first.end + 1)
  if (next === undefined || first.to !== undefined || next.to !== undefined) return undefined
  const [begin, second] = shareYear(first, next)
  const opening = reading.stem(first.start - 1)
  const closed = opening === "between" && joint === "and"
  const spanned =
    ["to", "until", "till", "through", "–", "-"].includes(joint) && begin.unit === second.unit
  if (!closed && !spanned) return undefined
  const start = ["between", "from"].includes(opening) ? first.start - 1 : first.start
  const changes = reading.tokens.some((_, at) => reading.phrase(at, changing) !== undefined)
  if (changes && opening !== first.value && begin.unit === second.unit && start < first.start) {
    limitTo(reading, [begin, second], "in", [start, second.end])
    reading.analysis.add("change")
    reading.claim(["analysis:change", "time"], start, second.end)
    divideBy(reading, first.unit)
    return second.end
  }
  limitTo(reading, [begin, second], "between", [start, second.end])
  return second.end
}

/** "2022 vs 2023", "2021, 2022 and 2023". */
const several = (reading: Reading, first: Period): number | undefined => {
  if (first.to !== undefined) return undefined
  let periods = [first]
  let { end } = first
  let compared = false
  for (;;) {
    const comma = reading.stem(end) === "," ? 1 : 0
    const match = reading.phrase(end + comma, versus)
    const place = end + comma + (match?.length ?? 0)
    const next = periodAt(reading, reading.stem(place) === "the" ? place + 1 : place)
    if (
      next === undefined ||
      next.to !== undefined ||
      next.unit !== first.unit ||
      comma + (match?.length ?? 0) === 0
    )
      break
    compared ||= reading.phrase(end + comma, comparing) !== undefined
    // Of "January, February and March 2023" only the last has a year.
    const [, dated] = shareYear(periods.at(-1) ?? next, next)
    periods = [...periods.map((one) => shareYear(one, dated)[0]), dated]
    ;({ end } = next)
  }
  if (periods.length === 1) return undefined
  const { op, start } = operatorBefore(reading, first.start)
  limitTo(reading, periods, op === "!=" ? "not_in" : "in", [start, end])
  const asked = reading.tokens.some(({ stem }) => stem === "compare" || stem === "comparison")
  if (compared || asked) {
    reading.analysis.add("compare")
    reading.claim(["analysis:compare", "time"], first.start, end)
    divideBy(reading, first.unit)
  }
  return end
}

/** "2024 compared with last year" includes both. */
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
    reading.claim(["analysis:compare", "time", `filter:${column?.name}`], compared.start, found.end)
    reading.analysis.add("compare")
    if (reading.grain === "unknown") reading.grain = found.unit
    widen(reading, column, found.value)
    return found.end
  }
  const said = reading.textOf(at, found.end)
  const led = operatorBefore(reading, at)
  const start = reading.phraseBefore(led.start, spanning)?.start ?? led.start
  if (column === undefined || found.value === undefined) {
    cannotLimit(reading, start, found.end)
    return found.end
  }
  reading.claim(`filter:${column.name}`, start, found.end)
  reading.filter(column, found.op, found.value)
  reading.notes.push(
    `"${said}" counted back from ${String(column.max).slice(0, 10)}, the last day in the data`,
  )
  return found.end
}

/** "year to date", else a time relative to the last date; returns its end. */
const readToDate = (reading: Reading, at: number): number | undefined => {
  const match = reading.phrase(at, toDate)
  if (match === undefined) return readRelative(reading, at)
  const end = at + match.length
  const column = reading.dateColumn()
  const year = /^\d{4}/.exec(String(column?.max ?? ""))?.[0]
  const said = reading.textOf(at, end)
  if (column === undefined || year === undefined) cannotLimit(reading, at, end)
  else {
    reading.claim(`filter:${column.name}`, at, end)
    reading.filter(column, ">=", year)
    reading.notes.push(`"${said}" read as ${year}, the last year in the data`)
  }
  return end
}

export const readPeriods = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    // "last quarter of 2023" is not relative to a day.
    const period = periodAt(reading, at)
    const passed = period === undefined ? readToDate(reading, at) : undefined
    if (passed !== undefined) at = passed - 1
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
    limitTo(reading, [period], op, [start, period.end])
    at = period.end - 1
  }
}
