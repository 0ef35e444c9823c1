/** Reads analyses: totals, trends, anomalies … and those that the question excludes. */
import { english, isRelated, readWords } from "@planloom/planning/reading"
import type { Analysis } from "../requirements/Requirements.ts"
import { words } from "./PhraseBook.ts"
import { flagOf, isMeasurable, isRowNumber } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import { EXACT } from "./matchColumns.ts"
import { refusedFrom } from "./readOutputs.ts"
import { meansRows, readRowNoun, rowNounAt } from "./readRowNoun.ts"

/** A condition on the counted noun: "uninsured" of "uninsured patients". */
const isLimit = (reading: Reading, at: number): boolean =>
  reading.usesAt(at).some((use) => use.startsWith("filter:"))

/** "how many units" sums units; "how many orders" counts rows; "how many regions" counts distinct values. */
const readCount = (reading: Reading, at: number, length: number): void => {
  const after = at + length
  let place = after
  while (["the", "of", "all", "different"].includes(reading.stem(place)) || isLimit(reading, place))
    place++
  const found = reading.mention(place)
  const { rows } = reading.profile
  const numbered =
    found?.value === undefined &&
    (found?.columns.every((one) => isRowNumber(one, rows)) === true ||
      (found !== undefined && rowNounAt(reading, place) !== undefined))
  if (numbered && found !== undefined) reading.claim("rows", found.start, found.end)
  const mention = found !== undefined && (numbered || meansRows(found)) ? undefined : found
  const column =
    mention === undefined || mention.value !== undefined || mention.columns[0]?.type === "date"
      ? undefined
      : mention.columns[0]
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
  if (mention === undefined && !numbered && readMade(reading, at, place)) return
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

const made = words("was, were, are, is, have been, got, get, had been")

/** "how many people were killed": the total of the column that the verb is about. */
const readMade = (reading: Reading, at: number, place: number): boolean => {
  const noun = reading.tokens[place]
  const link = reading.phrase(place + 1, made)
  const verb = place + 1 + (link?.length ?? 0)
  if (noun?.kind !== "word" || reading.isTaken(place) || reading.isTaken(verb)) return false
  const stem = reading.stem(verb)
  const meant = [stem, ...(reading.lexicon.synonyms.get(stem) ?? [])]
  const columns = reading.lexicon.columns.filter(
    ({ column, parts }) =>
      isMeasurable(column) &&
      flagOf(column) === undefined &&
      parts.some((part) => meant.some((one) => one.length > 3 && isRelated(one, part))),
  )
  const [only] = columns
  const isVerb = readWords(reading.stem(verb), english)[0]?.operator === "past"
  if (only === undefined || columns.length > 1 || !isVerb) return false
  reading.metrics.add(only.column.name)
  reading.analysis.add("total")
  reading.claim(["analysis:total", `metrics:${only.column.name}`], at, verb + 1)
  reading.doubt(place, verb + 1)
  reading.notes.push(`"${reading.textOf(place, verb + 1)}" read as ${only.column.name}`)
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
    const inside = reading.mentions.some(
      ({ end, quality, start, value }) =>
        start < at &&
        end > at &&
        quality === EXACT &&
        value === undefined &&
        reading.areFree(start, end),
    )
    if (inside) continue
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
    else {
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
