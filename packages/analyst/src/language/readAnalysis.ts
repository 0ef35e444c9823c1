/** Reads analyses: totals, trends, anomalies … and those that the question excludes. */
import type { Analysis } from "../requirements/Requirements.ts"
import { words } from "./PhraseBook.ts"
import { isMeasurable, isRowNumber } from "./Reading.ts"
import type { Reading } from "./Reading.ts"
import { EXACT } from "./matchColumns.ts"
import { refusedFrom } from "./readOutputs.ts"
import { meansRows, readRowNoun } from "./readRowNoun.ts"

const overTheUnits = /^(over|through)$/

/** "how many units" sums units; "how many orders" counts rows; "how many regions" counts distinct values. */
const readCount = (reading: Reading, at: number, length: number): void => {
  const after = at + length
  const place = ["the", "of", "all"].includes(reading.stem(after)) ? after + 1 : after
  const found = reading.mention(place)
  const { rows } = reading.profile
  const numbered =
    found?.value === undefined && found?.columns.every((one) => isRowNumber(one, rows)) === true
  if (numbered) reading.take(found.start, found.end)
  const mention = found !== undefined && (numbered || meansRows(found)) ? undefined : found
  const column =
    mention === undefined || mention.value !== undefined ? undefined : mention.columns[0]
  reading.take(at, after)
  if (mention !== undefined && column !== undefined) {
    const named = reading.columnOf(mention)
    if (named === undefined) return
    reading.take(mention.start, mention.end)
    const kinds = !isMeasurable(named)
    const divided = kinds && reading.groupBy.has(named.name)
    if (!divided) reading.metrics.add(named.name)
    reading.analysis.add(divided ? "count" : kinds ? "distinct" : "total")
    return
  }
  if (!numbered) readRowNoun(reading, place)
  reading.analysis.add("count")
}

const readDistinct = (reading: Reading, at: number, length: number): void => {
  const mention = reading.mention(at + length)
  const column = mention === undefined ? undefined : reading.columnOf(mention)
  reading.take(at, at + length)
  reading.analysis.add("distinct")
  if (mention === undefined || column === undefined) return
  reading.take(mention.start, mention.end)
  reading.metrics.add(column.name)
}

const over = words("to", "over", "per", "and", "versus", "vs", "/", "divided by", "by")

/** "ratio of returns to units" divides one column by another, which is no share of a whole. */
const readQuotient = (reading: Reading, at: number, from: number): boolean => {
  const measure = (place: number) => {
    const start = ["the", "total", "of"].includes(reading.stem(place)) ? place + 1 : place
    const mention = reading.mention(start)
    const fits = mention?.value === undefined && mention?.columns.every(isMeasurable) === true
    return fits ? mention : undefined
  }
  const upper = measure(from)
  const sign = upper !== undefined && reading.stem(upper.end) === "/" ? 1 : undefined
  const joint = upper === undefined ? undefined : (sign ?? reading.phrase(upper.end, over)?.length)
  const lower = upper && joint ? measure(upper.end + joint) : undefined
  if (lower === undefined) return false
  const said = reading.textOf(at, lower.end)
  reading.take(at, lower.end)
  reading.missing.push(said)
  reading.unlimited = true
  reading.questions.push(
    `"${said}" would divide one column by another, which I cannot do. Shall I show both instead?`,
  )
  return true
}

export const readAnalysis = (reading: Reading): void => {
  const { tokens, lexicon } = reading
  let refusedUntil = -1
  for (let at = 0; at < tokens.length; at++) {
    const match = reading.phrase(at, lexicon.analysis)
    if (match === undefined) continue
    const named = reading.mention(at)
    // A column called "total" is a column.
    const longer = named !== undefined && named.end > at + match.length
    if (longer || (named?.quality === EXACT && named.end >= at + match.length)) continue
    const label = match.label as Analysis
    // "without outliers or trends" excludes both.
    const joined = reading.stem(at - 1) === "or" && refusedUntil === at - 1
    const from = joined ? at : refusedFrom(reading, at)
    if (from !== undefined) {
      reading.take(from, at + match.length)
      refusedUntil = at + match.length
      continue
    }
    if (label === "count") readCount(reading, at, match.length)
    else if (label === "distinct") readDistinct(reading, at, match.length)
    else if (label !== "share" || !readQuotient(reading, at, at + match.length)) {
      reading.take(at, at + match.length)
      reading.analysis.add(label)
    }
  }
}

const timeless = words(
  "over time",
  "through time",
  "time series",
  "timeline",
  "over the years",
  "over the months",
)

/** Analyses of a series. */
const timely = ["trend", "forecast", "moving_average"] as const

/** A trend needs time: the date column, or a column of years, whichever the table has. */
export const resolveTime = (reading: Reading): void => {
  const goes = timely.some((label) => reading.analysis.has(label))
  const timed = goes || reading.grain !== "unknown"
  if (!timed || reading.timeColumn !== "") return
  const date = reading.dateColumn()
  if (date !== undefined) {
    reading.timeColumn = date.name
    return
  }
  const year = reading.yearColumn()
  if (year !== undefined) {
    reading.groupBy.add(year.name)
    reading.timeColumn = year.name
    return
  }
  const said = reading.tokens.findIndex(
    (token, at) => overTheUnits.test(token.word) || reading.phrase(at, timeless) !== undefined,
  )
  reading.missing.push(said < 0 ? "a date column" : "dates")
  reading.questions.push("The data has no dates, so it shows no development. Continue without?")
}
