/** Reads comparisons with numbers, of rows ("price between 3 and 7", "older than 65") and of groups ("cities with more than 5 orders"). */
import type { Column } from "@planloom/tables"
import { usualFunction } from "../../adapt/usualFunction.ts"
import { isGroupable, isMeasurable } from "../columnKinds.ts"
import type { Mention } from "../findMentions.ts"
import { define, reader, type Found } from "../Form.ts"
import type { Comparison, Item } from "../Item.ts"
import { wordsOf } from "../findItems.ts"
import { hasUnit, sameUnit } from "../vocabulary/measureUnits.ts"
import { numberAt } from "../vocabulary/numberWords.ts"
import type { Reading } from "../Reading.ts"
import { readRowNoun } from "./readRowNoun.ts"
import { setGrain } from "../setGrain.ts"

/** Two numbers are a range in rising order; "and" joins its ends only after "between", and "2019-20" can be a name. */
const isRange = (low: Item<number>, high: Item<number>, reading: Reading): boolean =>
  low.of <= high.of &&
  (reading.stem(high.start - 1) !== "and" || reading.stem(low.start - 1) === "between") &&
  !reading.mentions.some(
    ({ end, start, value }) => value !== undefined && start <= low.start && end >= high.end,
  )

/** Whether a number is the first end of a range: it is never compared alone. */
const startsRange = ({ end }: Item<number>, reading: Reading): boolean => {
  const joint = reading.phrase(end, wordsOf("TILL"))?.length
  const next = joint ?? (["–", "-"].includes(reading.stem(end)) ? 1 : undefined)
  return next !== undefined && numberAt(reading, end + next) !== undefined
}

define(
  "COMPARISON",
  "(OP | SIGN) NUMBER UNIT? | GRADED NUMBER UNIT? | NUMBER UNIT? OR_MORE | HAS NUMBER UNIT? | " +
    "HAS? (between | from)? NUMBER UNIT? (and | TILL | – | -) NUMBER UNIT?",
  (found, reading): Comparison | undefined => {
    const [low, high] = found.all("NUMBER")
    const graded = found.first("GRADED")
    const [order, of = ""] = graded?.of.split(":") ?? []
    const subject = graded === undefined ? undefined : reading.subjectOf(of)
    if (low === undefined || (graded !== undefined && subject === undefined)) return undefined
    if (high === undefined ? startsRange(low, reading) : !isRange(low, high, reading))
      return undefined
    const op =
      high !== undefined
        ? "between"
        : graded !== undefined
          ? order === "desc"
            ? ">"
            : "<"
          : ((found.of("OP") ?? found.of("SIGN") ?? found.of("OR_MORE") ?? "=") as Comparison["op"])
    const weak = op === "=" && found.first("SIGN") === undefined
    const value = high === undefined ? low.of : ([low.of, high.of] as const)
    const isPercent = reading.tokens[low.end - 1]?.text.endsWith("%") === true
    return { op, value, weak, unit: found.of("UNIT") ?? (isPercent ? "pct" : undefined), subject }
  },
)

/** "above 10 percent" of a column of fractions is above 0.1. */
const numberOf = ({ value, unit }: Comparison, { max }: Column): Comparison["value"] => {
  if (unit !== "pct" || max === undefined || Number(max) > 1) return value
  return typeof value === "number" ? value / 100 : [value[0] / 100, value[1] / 100]
}

/** "over 3 months" is a period, unless the column itself is of months. */
const isTimed = (
  { end }: Found,
  reading: Reading,
  mention: Mention | undefined,
  { unit }: Comparison,
) =>
  reading.phrase(end, reading.lexicon.grains) !== undefined &&
  mention?.columns.some((one) => hasUnit(one.name, unit)) !== true

/** Groups to keep: "cities with more than 5 orders", "regions with total revenue over 10,000". */
const keepGroups = (found: Found, reading: Reading): boolean => {
  const comparison = found.of("COMPARISON")
  const mention = found.of("MEASURE")
  const grain = found.first("GRAIN")
  if (comparison === undefined || comparison.subject !== undefined) return false
  if (comparison.weak && mention === undefined) return false
  // The column of the groups comes first.
  const subject = grain === undefined ? found.of("GROUP") : undefined
  const place = grain ?? found.first("GROUP")
  if (place === undefined) return false
  const isPlural = reading.tokens[place.end - 1]?.word !== reading.stem(place.end - 1)
  if (grain !== undefined && (grain.of === "day" || !isPlural)) return false
  const group = subject === undefined ? undefined : reading.columnOf(subject, isGroupable)
  const column = mention === undefined ? undefined : reading.columnOf(mention, isMeasurable)
  if (subject !== undefined && (group === undefined || group.unique === true)) return false
  if (mention !== undefined && column === undefined) return false
  const { op, unit } = comparison
  if (column !== undefined && unit !== undefined && !sameUnit(unit, column.name)) return false
  const put = found.of("PUT")
  const label = column === undefined ? "count" : (put ?? usualFunction([column.name]))
  if (column !== undefined && put === undefined && label !== "total") return false
  const name = column?.name ?? "count"
  const value = column === undefined ? comparison.value : numberOf(comparison, column)
  reading.constraints.push({ kind: "having", column: name, op, value })
  reading.analysis.add(label)
  if (column !== undefined) reading.metrics.add(column.name)
  const measured = column === undefined ? [] : [`metrics:${column.name}`]
  const rows = found.first("ROWS")
  if (rows !== undefined) readRowNoun(reading, rows.start)
  reading.claim(
    [`having:${name}`, `analysis:${label}`, ...measured],
    place.end,
    // "with 20 readmissions": what is counted is a condition, too.
    (rows ?? found.first("FLAG"))?.start ?? found.end,
  )
  if (group === undefined) setGrain(reading, grain?.of ?? "unknown", place)
  else reading.divideBy(group, place.start, place.end)
  return true
}

/** "revenue with 5 to 10 units" limits the units. */
const isOfNext = (found: Found, reading: Reading): boolean => {
  const { start } = found.first("COMPARISON") ?? found
  const next = reading.mention(found.end)
  return (
    (found.first("MEASURE")?.start ?? start) < start &&
    [start, start - 1].some((at) => ["with", "having"].includes(reading.stem(at))) &&
    next?.value === undefined &&
    next?.columns.some(isMeasurable) === true
  )
}

const keepRows = (found: Found, reading: Reading): boolean => {
  const comparison = found.of("COMPARISON")
  const mention = found.of("MEASURE")
  if (comparison === undefined || isTimed(found, reading, mention, comparison)) return false
  if (isOfNext(found, reading)) return false
  const column = comparison.subject ?? (mention && reading.columnOf(mention, isMeasurable))
  const { op, unit } = comparison
  // A number of another unit than the column's is another number.
  if (column === undefined || (unit !== undefined && !sameUnit(unit, column.name))) return false
  reading.claim(`filter:${column.name}`, found.start, found.end)
  const start = found.first("IF")?.end ?? found.start
  if (comparison.op === "between") {
    const place = found.first("COMPARISON")
    reading.noteRange(place?.start ?? start, place?.end ?? found.end)
  }
  reading.filter(column, op, numberOf(comparison, column), { start, end: found.end })
  return true
}

const askGroups = ({ end, items }: Found, reading: Reading) => {
  const start = items[0]?.end ?? end
  reading.lacks(start, end, `It is open which groups "${reading.textOf(start, end)}" is about.`)
}

export const readComparisons = reader([
  [
    "(GRAIN | GROUP) HAVING (PUT? MEASURE LINK* COMPARISON PUT? | PUT? COMPARISON PUT? of? MEASURE PUT? | COMPARISON (ROWS | FLAG))",
    keepGroups,
  ],
  ["HAVING (PUT MEASURE LINK* COMPARISON | PUT COMPARISON of? MEASURE)", askGroups],
  ["IF? (MEASURE LINK* COMPARISON | COMPARISON (of | in)? MEASURE | COMPARISON)", keepRows],
])
