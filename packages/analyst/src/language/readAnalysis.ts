/** Reads analyses: totals, trends, anomalies … and those that the question excludes. */
import type { Analysis } from "../requirements/Requirements.ts"
import { words } from "./PhraseBook.ts"
import { isMeasurable, isRowNumber } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import { EXACT } from "./matchColumns.ts"
import { refusedFrom } from "./readOutputs.ts"
import { meansRows, readRowNoun } from "./readRowNoun.ts"

/** "how many units" sums units; "how many orders" counts rows; "how many regions" counts distinct values. */
const readCount = (reading: Reading, at: number, length: number): void => {
  const after = at + length
  const place = ["the", "of", "all"].includes(reading.stem(after)) ? after + 1 : after
  const found = reading.mention(place)
  const { rows } = reading.profile
  const numbered =
    found?.value === undefined && found?.columns.every((one) => isRowNumber(one, rows)) === true
  if (numbered) reading.claim("rows", found.start, found.end)
  const mention = found !== undefined && (numbered || meansRows(found)) ? undefined : found
  const column =
    mention === undefined || mention.value !== undefined ? undefined : mention.columns[0]
  if (mention !== undefined && column !== undefined) {
    const named = reading.columnOf(mention)
    if (named === undefined) return
    const kinds = !isMeasurable(named)
    const divided = kinds && reading.groupBy.has(named.name)
    const label = divided ? "count" : kinds ? "distinct" : "total"
    if (!divided) reading.metrics.add(named.name)
    reading.analysis.add(label)
    reading.claim(`analysis:${label}`, at, after)
    reading.claim(`${divided ? "group_by" : "metrics"}:${named.name}`, mention.start, mention.end)
    return
  }
  reading.claim("analysis:count", at, after)
  if (!numbered) readRowNoun(reading, place)
  reading.analysis.add("count")
}

const readDistinct = (reading: Reading, at: number, length: number): void => {
  const mention = reading.mention(at + length)
  const column = mention === undefined ? undefined : reading.columnOf(mention)
  reading.claim("analysis:distinct", at, at + length)
  reading.analysis.add("distinct")
  if (mention === undefined || column === undefined) return
  reading.claim(`metrics:${column.name}`, mention.start, mention.end)
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
  reading.lacks(
    at,
    lower.end,
    `"${said}" would divide one column by another, which I cannot do. Shall I show both instead?`,
    [`${upper?.columns[0]?.name} and ${lower.columns[0]?.name}`],
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
    const from = joined ? at - 1 : refusedFrom(reading, at)
    if (from !== undefined) {
      reading.claim("scope", from, at + match.length)
      refusedUntil = at + match.length
      continue
    }
    if (label === "count") readCount(reading, at, match.length)
    else if (label === "distinct") readDistinct(reading, at, match.length)
    else if (label !== "share" || !readQuotient(reading, at, at + match.length)) {
      reading.claim(`analysis:${label}`, at, at + match.length)
      reading.analysis.add(label)
    }
  }
}

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
    reading.follow(`group_by:${year.name}`, ...timely.map((label) => `analysis:${label}`), "time")
    reading.timeColumn = year.name
    return
  }
  reading.refusal = "the data has no dates, so it shows no development"
}
