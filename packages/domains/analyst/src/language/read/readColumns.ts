/** Reads every column that no other rule used, by its type; a noun that no column is near is of the rows. */
import { isGroupable, isMeasurable, isRowNumber } from "../columnKinds.ts"
import { reader, type Found } from "../Form.ts"
import { PART } from "../matchColumns.ts"
import type { Reading } from "../Reading.ts"
import { readRowNoun, rowNounAt } from "./readRowNoun.ts"

const dividing = ["compare", "ranking", "share", "rate", "trend"] as const

const readColumn = (found: Found, reading: Reading): boolean => {
  const mention = found.of("COLUMN")
  if (mention === undefined) return false
  if (rowNounAt(reading, mention.start) === mention.end) {
    readRowNoun(reading, mention.start)
    return true
  }
  const prefers = mention.columns.some(isMeasurable) ? isMeasurable : isGroupable
  const column = reading.columnOf(mention, prefers)
  const { analysis, groupBy, metrics } = reading
  const { end, start } = mention
  const measure = (name: string) => {
    metrics.add(name)
    reading.claim(`metrics:${name}`, start, end)
  }
  // "orders by shop", where orders are numbered: means the rows, not their numbers.
  const isNumbering =
    column !== undefined &&
    isRowNumber(column, reading.profile.rows) &&
    [...analysis].every((one) => one === "count" || one === "filter")
  if (column === undefined) reading.block(start, end)
  else if (isNumbering) {
    reading.rowWord ??= reading.textOf(start, end)
    reading.claim("rows", start, end)
  } else if (isMeasurable(column)) measure(column.name)
  else if (column.type === "date") {
    // "opened in 2024" names the date column of the period.
    const isLimited = reading.constraints.some(
      (one) => one.kind === "filter" && one.column === column.name,
    )
    const led = ["by", "per", "over", "each", "which", "what"].includes(reading.stem(start - 1))
    const isMeasured = metrics.size > 0 && mention.quality >= PART
    if (isLimited) reading.claim(`filter:${column.name}`, start, end)
    else if (led || analysis.has("trend") || isMeasured) {
      reading.timeColumn ||= column.name
      reading.claim("time", start, end)
      // "ordered" of a table of orders with their times, "on the show" of one of guests of a show.
    } else if (mention.quality < PART || reading.isTitled(start, end))
      reading.claim("rows", start, end)
    else reading.block(start, end)
  } else if (analysis.has("count") || analysis.has("distinct")) {
    // "a song" of a table with a name for each song.
    if (column.unique === true) reading.claim("rows", start, end)
    else reading.block(start, end)
  } else if (dividing.some((one) => analysis.has(one)) || metrics.size + groupBy.size > 0)
    reading.divideBy(column, start, end)
  // "distribution of region": refers to the column itself.
  else if (analysis.size > 0) measure(column.name)
  // "majors with a rate above 10" are the rows themselves.
  else if (column.unique === true && reading.constraints.some(({ kind }) => kind === "filter"))
    reading.claim("rows", start, end)
  else reading.divideBy(column, start, end)
  return true
}

export const readColumns = reader([["COLUMN", readColumn]])

/** "cars from Japan", "the average weight of cars": a plural that no column is near names the rows. */
const readSubject = (found: Found, reading: Reading): boolean => {
  const { start: at } = found
  let before = at - 1
  while (["the", "all", "our", "a"].includes(reading.stem(before))) before--
  const uses = before < 0 ? [] : reading.usesAt(before)
  const isLed =
    before < 0 ||
    ["of", "among", "do", "does", "did"].includes(reading.stem(before)) ||
    uses.some((use) => /^(filter|analysis|wish|top_n)/.test(use))
  const next = reading.tokens[at + 1]
  const isLast = next === undefined || next.kind === "sign"
  const isPlural = reading.tokens[at]?.word !== reading.stem(at)
  const fits = isLed && (isPlural || (isLast && uses.includes("filter")))
  return fits && readRowNoun(reading, at) !== undefined
}

const subjects = reader([["ROWS", readSubject]])

export const readSubjects = (reading: Reading): void => {
  const { analysis, constraints, grain, groupBy, metrics } = reading
  const parts = metrics.size + constraints.length + groupBy.size + analysis.size
  if (parts > 0 || grain !== "unknown") subjects(reading)
}
