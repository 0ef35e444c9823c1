/** Reads periods that limit a question: "in 2023", "since March 2022", "last quarter", "2022 vs 2023". */
import type { Column, FilterOp } from "@planloom/tables"
import { reader, type Found } from "./Form.ts"
import type { Period } from "./Item.ts"
import { wordsOf } from "./findItems.ts"
import { cannotLimit, limitTo } from "./limitTo.ts"
import { shareYear } from "./Period.ts"
import type { Reading } from "./Reading.ts"

/** Periods can only be separated if time groups the rows. */
const separate = (reading: Reading, unit: Period["unit"]): void => {
  const year = reading.yearColumn()
  if (reading.dateColumn() !== undefined) reading.grain = unit
  else if (year !== undefined) {
    reading.groupBy.add(year.name)
    reading.follow(`group_by:${year.name}`, "analysis:compare", "analysis:change")
  }
}

/** "between 2021 and 2023", "from March 2022 to May 2023", "2021-2023"; "growth from 2021 to 2023" is a change. */
const readRange = (found: Found, reading: Reading): boolean => {
  const [first, next] = found.all("PERIOD").map(({ of }) => of)
  if (first === undefined || next === undefined) return false
  if (first.to !== undefined || next.to !== undefined) return false
  const [begin, second] = shareYear(first, next)
  const isBetween = reading.stem(found.start) === "between"
  if (isBetween !== (reading.stem(first.end) === "and")) return false
  if (!isBetween && begin.unit !== second.unit) return false
  const place = [found.start, found.end] as const
  const changes = reading.tokens.some((_, at) => reading.phrase(at, wordsOf("CHANGE")))
  if (!changes || found.start === first.start || begin.unit !== second.unit) {
    limitTo(reading, [begin, second], "between", place)
    return true
  }
  limitTo(reading, [begin, second], "in", place)
  reading.analysis.add("change")
  reading.claim(["analysis:change", "time"], ...place)
  separate(reading, first.unit)
  return true
}

const opOf = (found: Found): FilterOp =>
  found.first("NOT") === undefined ? ((found.of("WHEN") ?? "=") as FilterOp) : "!="

/** "2022 vs 2023", "2021, 2022 and 2023"; of "January, February and March 2023" only the last has a year. */
const readSeveral = (found: Found, reading: Reading): boolean => {
  const periods = found.all("PERIOD").map(({ of }) => of)
  const [first] = periods
  if (
    first === undefined ||
    periods.some(({ to, unit }) => to !== undefined || unit !== first.unit)
  )
    return false
  const dated = periods.map((period, at) =>
    periods.slice(at + 1).reduce((one, later) => shareYear(one, later)[0], period),
  )
  limitTo(reading, dated, opOf(found) === "!=" ? "not_in" : "in", [found.start, found.end])
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

const readRelative = (found: Found, reading: Reading): boolean => {
  const [item, against] = [found.first("RELATIVE"), found.first("AGAINST")]
  if (item === undefined) return false
  const { op, unit, value } = item.of
  const column = reading.dateColumn()
  if (against?.of === "compare") {
    const uses = ["analysis:compare", "time", `filter:${column?.name}`]
    reading.claim(uses, found.start, found.end)
    reading.analysis.add("compare")
    if (reading.grain === "unknown") reading.grain = unit
    widen(reading, column, value)
  } else if (column === undefined || value === undefined)
    cannotLimit(reading, found.start, found.end)
  else {
    reading.claim(`filter:${column.name}`, found.start, found.end)
    reading.filter(
      column,
      found.first("WHEN") === undefined || op !== "=" ? op : opOf(found),
      value,
    )
    const said = reading.textOf(item.start, item.end)
    const last = String(column.max).slice(0, 10)
    reading.notes.push(
      op === ">="
        ? `"${said}" read as ${value}, the last year in the data`
        : `"${said}" counted back from ${last}, the last day in the data`,
    )
  }
  return true
}

export const readPeriods = reader([
  ["(between | from)? PERIOD (and | TILL | – | -) PERIOD", readRange],
  ["(NOT | WHEN)? the? PERIOD ((, | , AGAINST | AGAINST) the? PERIOD)+", readSeveral],
  ["(NOT | WHEN)? the? PERIOD", readPeriod],
  ["(AGAINST | WHEN)? WHEN? the? RELATIVE", readRelative],
])
