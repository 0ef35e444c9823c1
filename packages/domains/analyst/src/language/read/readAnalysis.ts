/** Reads analyses: totals, trends, anomalies … and those that the question excludes. */
import type { Column } from "@planloom/tables"
import { flagOf, isMeasurable, isRowNumber } from "../columnKinds.ts"
import { reader, type Found } from "../Form.ts"
import { EXACT } from "../matchColumns.ts"
import type { Reading } from "../Reading.ts"
import { meansRows, readRowNoun } from "./readRowNoun.ts"

/** "how many units" sums units; "how many regions" counts distinct values. */
const readAmount = (reading: Reading, column: Column, found: Found): void => {
  const item = found.first("COLUMN")
  const label = isMeasurable(column) ? "total" : "distinct"
  // "average number of games" is an average.
  const isPut =
    label === "total" &&
    (["average", "median", "maximum", "minimum"] as const).some((one) => reading.analysis.has(one))
  reading.metrics.add(column.name)
  if (!isPut) reading.analysis.add(label)
  reading.claim(`metrics:${column.name}`, item?.start ?? 0, item?.end)
  reading.claim(`analysis:${label}`, found.start, found.first("ANALYSIS")?.end)
}

/** "how many orders", "number of uninsured patients": the rows. */
const readCount = (found: Found, reading: Reading): boolean => {
  const [noun, rows, word] = [found.first("COLUMN"), found.first("ROWS"), found.first("ANALYSIS")]
  if (word?.of !== "count") return false
  const [column] = noun?.of.columns ?? []
  if (noun !== undefined && column !== undefined) {
    const isNumber = noun.of.columns.every((one) => isRowNumber(one, reading.profile.rows))
    const isRows = isNumber || meansRows(noun.of)
    if (!isRows && column.type === "date") return false
    const named = isRows ? undefined : reading.columnOf(noun.of)
    if (named !== undefined) readAmount(reading, named, found)
    if (!isRows) return true
    reading.claim("rows", noun.start, noun.end)
  }
  if (rows !== undefined) readRowNoun(reading, rows.start)
  reading.claim("analysis:count", found.start, word.end)
  reading.analysis.add("count")
  return true
}

const readDistinct = (found: Found, reading: Reading): boolean => {
  const item = found.first("COLUMN")
  const column = item === undefined ? undefined : reading.columnOf(item.of)
  if (found.of("ANALYSIS") !== "distinct" || item === undefined || column === undefined)
    return false
  reading.metrics.add(column.name)
  reading.analysis.add("distinct")
  reading.claim(`metrics:${column.name}`, item.start, item.end)
  reading.claimRest("analysis:distinct", found)
  return true
}

/** "how much heavier are males than females", "do smokers pay higher charges": compares groups by a measure. */
const readHigher = (found: Found, reading: Reading): boolean => {
  const compares = reading.tokens.some(
    ({ stem }, at) =>
      stem === "than" || (at === 0 && ["do", "does", "did", "is", "are"].includes(stem)),
  )
  const [mention, degree] = [found.of("MEASURE"), found.of("DEGREE")]
  const column =
    mention === undefined
      ? reading.subjectOf(degree?.split(":")[1] ?? "")
      : reading.columnOf(mention, isMeasurable)
  // "more women than men", of two columns, is a condition on each row.
  const other = reading.stem(found.end) === "than" ? reading.mention(found.end + 1) : undefined
  const isOfColumns =
    other?.value === undefined &&
    other?.columns.some((one) => isMeasurable(one) && flagOf(one) === undefined) === true
  if (!compares || column === undefined || isOfColumns) return false
  reading.metrics.add(column.name)
  reading.analysis.add("compare")
  reading.claim(["analysis:compare", `metrics:${column.name}`], found.start, found.end)
  if (mention === undefined) reading.doubt(found.start, found.end)
  return true
}

/** A column called "total" is a column. */
const readWord = (found: Found, reading: Reading): boolean => {
  const label = found.of("ANALYSIS") ?? "total"
  const named = reading.mention(found.start)
  // … unless it stands before another: "total fare".
  const isOther =
    named?.end === found.end &&
    ((reading.mention(found.end)?.value === undefined &&
      reading.mention(found.end)?.columns.some(isMeasurable) === true) ||
      reading.phrase(found.end, reading.lexicon.analysis)?.label === "count")
  const end = found.end - (named?.quality === EXACT && !isOther ? 1 : 0)
  if (named !== undefined && named.end > end) return false
  reading.analysis.add(label)
  reading.claim(`analysis:${label}`, found.start, found.end)
  return true
}

export const readAnalysis = reader([
  // "without outliers or trends" excludes both.
  [
    "NOT WANT* ANALYSIS (or ANALYSIS)*",
    ({ end, start }, reading) => reading.claim("scope", start, end),
  ],
  ["ANALYSIS (the | of | all | different | LIMITED)* (ROWS | COLUMN)", readCount],
  ["ANALYSIS COLUMN", readDistinct],
  ["(how much)? (HIGHER MEASURE | MEASURE HIGHER | DEGREE)", readHigher],
  ["ANALYSIS", readWord],
])
