/** Reads conditions on columns: "units over 10", "price between 3 and 7", "missing returns", and those by values. */
import type { FilterOp } from "@planloom/tables"
import { words } from "./PhraseBook.ts"
import type { PhraseBook } from "./PhraseBook.ts"
import { isMeasurable } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import type { Mention } from "./findMentions.ts"
import { readValues } from "./readValues.ts"

const comparators: ReadonlyArray<readonly [PhraseBook, FilterOp]> = [
  [
    words(
      "at least",
      "no less than",
      "not less than",
      "a minimum of",
      "minimum of",
      "not below",
      ">=",
      "≥",
    ),
    ">=",
  ],
  [
    words(
      "at most",
      "no more than",
      "not more than",
      "up to",
      "a maximum of",
      "maximum of",
      "not above",
      "<=",
      "≤",
    ),
    "<=",
  ],
  [
    words(
      "more than",
      "greater than",
      "over",
      "above",
      "higher than",
      "larger than",
      "bigger than",
      "exceeding",
      "exceeds",
      "exceed",
      "beyond",
      "better than",
      "longer than",
      "older than",
      "heavier than",
    ),
    ">",
  ],
  [
    words(
      "less than",
      "fewer than",
      "under",
      "below",
      "lower than",
      "smaller than",
      "shorter than",
      "younger than",
      "lighter than",
    ),
    "<",
  ],
  [words("not equal to", "is not", "isn't", "not", "other than"), "!="],
  [words("equal to", "equals", "is exactly", "exactly", "is", "are", "of", "was", "were"), "="],
]

const signs: { readonly [sign: string]: FilterOp } = {
  ">": ">",
  ">=": ">=",
  "≥": ">=",
  "<": "<",
  "<=": "<=",
  "≤": "<=",
  "=": "=",
  "==": "=",
  "!=": "!=",
  "<>": "!=",
  "≠": "!=",
}

const linking = words(
  "is",
  "are",
  "was",
  "were",
  "has",
  "have",
  "of",
  "with",
  "a",
  "the",
  "being",
  "got",
)
const conditional = words(
  "where",
  "with",
  "whose",
  "having",
  "if",
  "when",
  "for which",
  "and",
  "or",
  "only",
)

/** The measure of a comparison: named before it, else right after the number. */
const measureBefore = (reading: Reading, at: number): Mention | undefined => {
  let end = at
  for (let steps = 0; steps < 3; steps++) {
    const mention = reading.mentions.find((one) => one.end === end && one.value === undefined)
    if (mention !== undefined) return mention.columns.some(isMeasurable) ? mention : undefined
    const link = reading.phraseBefore(end, linking)
    if (link === undefined) return undefined
    end = link.start
  }
  return undefined
}

const comparatorAt = (reading: Reading, at: number): { op: FilterOp; end: number } | undefined => {
  const sign = reading.tokens[at]
  if (sign?.kind === "sign" && Object.hasOwn(signs, sign.text) && !reading.isTaken(at)) {
    return { op: signs[sign.text] as FilterOp, end: at + 1 }
  }
  for (const [book, op] of comparators) {
    const match = reading.phrase(at, book)
    if (match !== undefined) return { op, end: at + match.length }
  }
  return undefined
}

const numberAt = (reading: Reading, at: number): number | undefined =>
  reading.isTaken(at) ? undefined : reading.tokens[at]?.value

/** "regions with total revenue over 10,000" is a condition on groups; returns its start. */
const putTogether = (reading: Reading, { start }: Mention): number | undefined => {
  const analysis = reading.phraseBefore(start, reading.lexicon.analysis)
  const led = analysis === undefined ? undefined : reading.phraseBefore(analysis.start, conditional)
  const groups = ["total", "average", "median", "count"].includes(analysis?.label ?? "")
  return groups && led !== undefined ? analysis?.start : undefined
}

/** "fewer than 2000 passengers in total": the words behind the condition put its column together. */
const groupedAfter = (reading: Reading, end: number, at: number): number | undefined => {
  const skipped = reading.stem(end) === "in" || reading.stem(end) === "on" ? end + 1 : end
  const label = (
    reading.phrase(end, reading.lexicon.analysis) ??
    reading.phrase(skipped, reading.lexicon.analysis)
  )?.label
  return ["total", "average", "median"].includes(label ?? "") ? at : undefined
}

/** A column in a condition is not a metric, unless the question has no other. */
const readNumber = (reading: Reading, at: number): void => {
  if (reading.isTaken(at)) return
  const between = reading.stem(at) === "between"
  const comparator = between ? undefined : comparatorAt(reading, at)
  const first = between ? at + 1 : comparator?.end
  const low = first === undefined ? undefined : numberAt(reading, first)
  if (first === undefined || low === undefined) return
  const high =
    between && reading.stem(first + 1) === "and" ? numberAt(reading, first + 2) : undefined
  if (between && high === undefined) return
  const end = first + (between ? 3 : 1)
  // "over 3 months" is a period.
  const timed = reading.phrase(end, reading.lexicon.grains) !== undefined
  if (timed && reading.tokens[first - 1]?.kind === "word") return
  const named = measureBefore(reading, at)
  const follows = reading.mention(end)
  const mention = named ?? (follows?.columns.some(isMeasurable) === true ? follows : undefined)
  // "average of 5" compares nothing.
  const weak = comparator?.op === "=" && named === undefined
  if (mention === undefined || weak) return
  const column = reading.columnOf(mention, isMeasurable)
  if (column === undefined) return
  const put = putTogether(reading, mention) ?? groupedAfter(reading, Math.max(end, mention.end), at)
  if (put !== undefined) {
    const last = Math.max(end, mention.end)
    const said = reading.textOf(put, last)
    reading.lacks(put, last, `I can keep single rows by a value, not groups by "${said}".`)
    return
  }
  const led = reading.phraseBefore(mention.start, conditional)
  const used = `filter:${column.name}`
  reading.claim(used, Math.min(mention.start, at), Math.max(end, mention.end))
  if (led !== undefined) reading.claim(used, led.start, mention.start)
  if (high === undefined) reading.filter(column, comparator?.op ?? "=", low)
  else reading.filter(column, "between", [low, high])
}

const missingWords = words(
  "missing",
  "is missing",
  "are missing",
  "is empty",
  "is null",
  "is unknown",
  "without a value",
  "has no value",
  "blank",
)

const lacking = words(
  "have no",
  "has no",
  "had no",
  "having no",
  "with no",
  "without any",
  "don't have a",
  "do not have a",
  "lack",
  "lacking",
  "lack a",
)

/** "tickets that have no satisfaction score": the word after a name may only repeat its type. */
const readLacking = (reading: Reading, at: number): void => {
  const match = reading.phrase(at, lacking)
  const mention = match === undefined ? undefined : reading.mention(at + match.length)
  if (mention === undefined || mention.value !== undefined) return
  const column = reading.columnOf(mention)
  if (column === undefined) return
  const kind = ["score", "value", "rating", "entry"].includes(reading.stem(mention.end))
  reading.claim(
    `filter:${column.name}`,
    at,
    mention.end + (kind && !reading.isTaken(mention.end) ? 1 : 0),
  )
  reading.filter(column, "is_null")
}

const readMissing = (reading: Reading, at: number): void => {
  const match = reading.phrase(at, missingWords)
  if (match === undefined) return
  const before = reading.mentions.find(({ end, value }) => end === at && value === undefined)
  const mention = before ?? reading.mention(at + match.length)
  const column =
    mention === undefined || mention.value !== undefined ? undefined : reading.columnOf(mention)
  if (mention === undefined || column === undefined) return
  reading.claim(
    `filter:${column.name}`,
    Math.min(mention.start, at),
    Math.max(mention.end, at + match.length),
  )
  reading.filter(column, "is_null")
}

export const readConditions = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    readNumber(reading, at)
    readMissing(reading, at)
    readLacking(reading, at)
    const mention = reading.mention(at)
    if (mention?.value !== undefined) readValues(reading, mention)
  }
}
