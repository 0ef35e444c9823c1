/** Reads conditions: of values ("in Europe"), of yes and no ("uninsured"), of numbers ("older than 65"), of groups, and missing values. */
import type { Column } from "@planloom/tables"
import { usualFunction } from "../adapt/usualFunction.ts"
import { flagOf, isGroupable, isMeasurable } from "./columnKinds.ts"
import { VALUE, type Mention } from "./findMentions.ts"
import { define, reader, type Found, type Rule } from "./Form.ts"
import { isPast, wordsOf, type Comparison } from "./items.ts"
import { hasUnit, sameUnit } from "./measureUnits.ts"
import type { Reading } from "./Reading.ts"
import { readRowNoun, rowNounAt } from "./readRowNoun.ts"
import { setGrain } from "./setGrain.ts"

define(
  "COMPARISON",
  "(OP | SIGN) NUMBER UNIT? | GRADED NUMBER UNIT? | NUMBER UNIT? OR_MORE | between NUMBER and NUMBER UNIT? | HAS NUMBER UNIT?",
  (found, reading): Comparison | undefined => {
    const [low, high] = found.all("NUMBER")
    const graded = found.first("GRADED")
    const [order, of = ""] = graded?.of.split(":") ?? []
    const subject = graded === undefined ? undefined : reading.subjectOf(of)
    if (low === undefined || (graded !== undefined && subject === undefined)) return undefined
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

/** "under 25" of people is their age. */
const ageOf = (
  reading: Reading,
  { unit, value, weak }: Comparison,
  end: number,
): Column | undefined => {
  const isNamed = reading.mention(end) !== undefined || rowNounAt(reading, end) !== undefined
  return weak || isNamed || unit !== undefined || typeof value !== "number" || value >= 120
    ? undefined
    : reading.profile.columns.find(({ name }) => /^age$/i.test(name))
}

const keepRows = (found: Found, reading: Reading): boolean => {
  const comparison = found.of("COMPARISON")
  const mention = found.of("MEASURE")
  if (comparison === undefined || isTimed(found, reading, mention, comparison)) return false
  const column =
    comparison.subject ??
    (mention === undefined
      ? ageOf(reading, comparison, found.end)
      : reading.columnOf(mention, isMeasurable))
  const { op, unit } = comparison
  // A number of another unit than the column's is another number.
  if (column === undefined || (unit !== undefined && !sameUnit(unit, column.name))) return false
  reading.claim(`filter:${column.name}`, found.start, found.end)
  const start = found.first("IF")?.end ?? found.start
  reading.filter(column, op, numberOf(comparison, column), { start, end: found.end })
  return true
}

const askGroups = ({ end, items }: Found, reading: Reading) => {
  const start = items[0]?.end ?? end
  reading.lacks(start, end, `It is open which groups "${reading.textOf(start, end)}" is about.`)
}

const comparisons: ReadonlyArray<Rule> = [
  [
    "(GRAIN | GROUP) HAVING (PUT? MEASURE LINK* COMPARISON PUT? | PUT? COMPARISON PUT? of? MEASURE PUT? | COMPARISON (ROWS | FLAG))",
    keepGroups,
  ],
  ["HAVING (PUT MEASURE LINK* COMPARISON | PUT COMPARISON of? MEASURE)", askGroups],
  ["IF? (MEASURE LINK* COMPARISON | COMPARISON (of | in)? MEASURE | COMPARISON)", keepRows],
]
export const readComparisons = reader(comparisons)

/** "missing returns"; a number that is never missing is zero instead: "tickets that have no comments". */
const readMissing = (found: Found, reading: Reading): boolean => {
  const mention = found.of("COLUMN")
  const column = mention === undefined ? undefined : reading.columnOf(mention)
  if (column === undefined) return false
  reading.claim(`filter:${column.name}`, found.start, found.end)
  const isZero =
    column.nulls === undefined && column.min === 0 && found.first("LACKING") !== undefined
  if (isZero) reading.filter(column, "=", 0, found)
  else reading.filter(column, "is_null", undefined, found)
  return true
}

/** "destination Paris": the column named next to the value decides. */
const columnOfValue = (reading: Reading, mention: Mention): Column | undefined => {
  const beside = mention.columns.filter((column) =>
    reading.mentions.some(
      (one) =>
        one.value === undefined &&
        one.columns.includes(column) &&
        (Math.abs(one.end - mention.start) <= 2 || Math.abs(one.start - mention.end) <= 1),
    ),
  )
  return beside.length === 1 ? beside[0] : reading.columnOf(mention)
}

const comparing = ["compare", "comparison", "difference", "comparing", "differ", "better", "versu"]

/** One value, or several of one column: "in Europe", "North and South", "excluding Toys", "the East region". */
const readValues = (found: Found, reading: Reading): boolean => {
  const [first] = found.all("VALUE")
  if (first === undefined) return false
  const lead = reading.stem(found.start)
  // "not only North" keeps the others, too; "number of musicians" counts them.
  const isOnly = ["only", "just"].includes(lead)
  if (isOnly && reading.phraseBefore(found.start, reading.lexicon.negations)) return false
  if (lead === "of" && reading.phraseBefore(found.start + 1, reading.lexicon.analysis)) return false
  if (
    found.items.some(
      ({ end }) =>
        ["only", "just"].includes(reading.stem(end - 1)) && found.first("NOT")?.end === end - 1,
    )
  )
    return false
  const column = columnOfValue(reading, first.of)
  if (column === undefined) {
    reading.block(first.start, first.end)
    return true
  }
  const names = found.all("COLUMN")
  const others = found.all("VALUE").filter(({ of }) => !of.columns.includes(column))
  if (others.length > 0 || names.some(({ of }) => !of.columns.includes(column))) return false
  const values = [...new Set(found.all("VALUE").map(({ of }) => of.value as string))]
  // "found by Transit" says who did, where "by region North" divides.
  const isAgent = reading.stem(found.start) === "by" && isPast(reading, found.start - 1)
  const isGroup = !isAgent && found.all("LIMIT").some(({ of }) => of === "by")
  const isNegated = found.first("NOT") !== undefined || found.of("SIGN") === "!="
  const use = `filter:${column.name}`
  reading.claim(use, isGroup ? first.start : found.start, found.end)
  const [only] = values
  const place = { start: first.start, end: found.end }
  if (values.length === 1) reading.filter(column, isNegated ? "!=" : "=", only, place)
  else reading.filter(column, isNegated ? "not_in" : "in", values, place)
  if (first.of.quality < VALUE) reading.interpret(first.of, column)
  const asked = reading.tokens.some(({ stem }) => comparing.includes(stem))
  const compares = found.all("VERSUS").some(({ of }) => of === "") || asked
  const isCompared = values.length > 1 && !isNegated && compares
  if (isCompared) {
    reading.analysis.add("compare")
    reading.follow("analysis:compare", use)
  }
  if (isGroup || isCompared) {
    reading.groupBy.add(column.name)
    reading.follow(`group_by:${column.name}`, use)
  }
  return true
}

/** From this quality on the words are the column's own. */
const SURE = 0.8

/** "written by students" says who did, where "orders by status" divides: "how many were returned", "not vegetarian", "uninsured patients", "smokers". */
const readFlag = (found: Found, reading: Reading): boolean => {
  const item = found.first("FLAG")
  const [column] = item?.of.columns ?? []
  const flag = column === undefined ? undefined : flagOf(column)
  if (item === undefined || column === undefined || flag === undefined) return false
  const { end, start } = item
  const isAgent = reading.stem(found.start + 1) === "by" && isPast(reading, found.start)
  if (found.first("WORD") !== undefined && !isAgent) return false
  if (!isAgent && reading.phraseBefore(start, wordsOf("DIVIDING"))) return false
  if (reading.isTitled(start, end + 1) || reading.phrase(end, wordsOf("STATUS"))) return false
  const isNegated =
    (found.first("NOT") === undefined && reading.stem(start - 2) !== "non") ===
    (item.of.negated === true)
  const isLed = isAgent || found.first("BE") !== undefined
  if (flag.yes === undefined && !isNegated && !isLed) return false
  reading.claim(`filter:${column.name}`, found.start, end)
  if (item.of.quality < SURE) reading.interpret(item.of, column)
  const isBoth = reading.constraints.some(
    (one) =>
      one.kind === "filter" && one.column === column.name && (one.value === flag.no) !== isNegated,
  )
  if (isBoth) {
    // "smokers and non-smokers" are all rows, in two groups.
    reading.unfilter(column)
    reading.groupBy.add(column.name)
    reading.follow(`group_by:${column.name}`, `filter:${column.name}`)
  } else if (isNegated) reading.filter(column, "=", flag.no, item)
  else if (flag.yes === undefined) reading.filter(column, "!=", flag.no, item)
  else reading.filter(column, "=", flag.yes, item)
  return true
}

export const readConditions = reader([
  ["COLUMN MISSING | MISSING COLUMN | LACKING COLUMN KIND?", readMissing],
  [
    "(NOT | LIMIT | THE | AND | COLUMN | SIGN)* VALUE ((, AND? | / | & | AND | VERSUS) THE? VALUE)* COLUMN? (only | alone)?",
    readValues,
  ],
  ["(BE BE?)? (NOT | non -)? FLAG | WORD by FLAG", readFlag],
])
