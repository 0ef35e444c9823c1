/** Reads conditions of values ("in Europe"), of yes and no ("uninsured"), and missing values. */
import { flagOf } from "../columnKinds.ts"
import { VALUE } from "../findMentions.ts"
import { reader, type Found } from "../Form.ts"
import { isPast, wordsOf } from "../findItems.ts"
import type { Reading } from "../Reading.ts"

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
  const column = reading.columnOf(first.of)
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
  // "smokers and non-smokers"
  if (reading.constraints.some((one) => one.kind === "filter" && one.column === column.name)) {
    reading.block(start, end)
    return true
  }
  reading.claim(`filter:${column.name}`, found.start, end)
  if (item.of.quality < SURE) reading.interpret(item.of, column)
  if (isNegated) reading.filter(column, "=", flag.no, item)
  else if (flag.yes === undefined) reading.filter(column, "!=", flag.no, item)
  else reading.filter(column, "=", flag.yes, item)
  return true
}

export const readConditions = reader([
  ["IF? THE? COLUMN MISSING | MISSING COLUMN | LACKING COLUMN KIND?", readMissing],
  [
    "(NOT | LIMIT | THE | AND | COLUMN | SIGN)* VALUE ((, AND? | / | & | AND | VERSUS) THE? VALUE)* COLUMN? (only | alone)?",
    readValues,
  ],
  ["(BE BE?)? (NOT | non -)? FLAG | WORD by FLAG", readFlag],
])
