/** Reads numbers made of two columns: "revenue per unit", "ratio of tip to fare", "difference between budget and gross". */
import { words } from "./PhraseBook.ts"
import { isGroupable, isMeasurable } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import type { Mention } from "./findMentions.ts"
import { hasUnit, unitOf } from "./measureUnits.ts"
import { matchColumns } from "./matchColumns.ts"
import { rowNounAt } from "./readRowNoun.ts"

const ratios = words("ratio of, ratio, ratio between, quotient of, share of, percentage of")
const over = words(
  "to, over, per, and, versus, vs, divided by, by, as a share of, as a percentage of",
)
const gaps = words("difference between, difference of, gap between, difference in, spread between")
const per = words("per, for each, divided by, for every")
const minus = words("minus, less")
const articles = words("the, total, of, a, each, average")

const isNumber = ({ columns, value }: Mention): boolean =>
  value === undefined && columns.some(isMeasurable)

const past = (reading: Reading, at: number): number => {
  const article = reading.phrase(at, articles)
  return article === undefined || reading.mention(at) !== undefined ? at : at + article.length
}

const numberAt = (reading: Reading, at: number): Mention | undefined => {
  const mention = reading.mention(past(reading, at))
  return mention !== undefined && isNumber(mention) ? mention : undefined
}

/** "maximum and minimum temperature": the first name ends like the second. */
const sharedAt = (reading: Reading, at: number): Mention | undefined => {
  const start = past(reading, at)
  const second = reading.stem(start + 1) === "and" ? numberAt(reading, start + 2) : undefined
  if (second === undefined || second.end - second.start < 2) return undefined
  const stems = [
    start,
    ...Array.from({ length: second.end - second.start - 1 }, (_, n) => second.start + n + 1),
  ].map((place) => reading.stem(place))
  const found = matchColumns(stems, stems.join(" "), reading.lexicon)
  return found === undefined ? undefined : { ...found, start, end: start + 1 }
}

const combine = (
  reading: Reading,
  analysis: "ratio" | "difference",
  [one, other]: readonly [Mention, Mention],
  [start, end]: readonly [number, number],
): void => {
  const left = reading.columnOf(one, isMeasurable)
  const right = reading.columnOf(other, isMeasurable)
  if (left === undefined || right === undefined || left === right) return
  reading.metrics.add(left.name)
  reading.metrics.add(right.name)
  reading.analysis.add(analysis)
  reading.claim(
    [`analysis:${analysis}`, `metrics:${left.name}`, `metrics:${right.name}`],
    start,
    end,
  )
}

/** A pair of numbers after "ratio of" or "difference between". */
const readPair = (
  reading: Reading,
  at: number,
  from: number,
  analysis: "ratio" | "difference",
): boolean => {
  const first = numberAt(reading, from) ?? sharedAt(reading, from)
  if (first === undefined) return false
  const sign = reading.stem(first.end) === "/" ? 1 : undefined
  const joint = sign ?? reading.phrase(first.end, over)?.length
  const second = joint === undefined ? undefined : numberAt(reading, first.end + joint)
  if (second === undefined) return false
  combine(reading, analysis, [first, second], [at, second.end])
  return true
}

/** "cost per day of stay", "revenue / units"; per a code such as the number of cylinders both readings are plain. */
const readPer = (reading: Reading, first: Mention): void => {
  const joint = reading.phrase(first.end, per)
  const taken = reading.phrase(first.end, minus)
  const sign = reading.stem(first.end) === "/" ? 1 : undefined
  const length = joint?.length ?? taken?.length ?? sign
  const from = first.end + (length ?? 0)
  // "cost per day of stay", where the length of stay is in days
  const unit = unitOf(reading.tokens[from]?.word ?? "")
  const counted = reading.stem(from + 1) === "of" ? numberAt(reading, from + 2) : undefined
  const isCounted = counted?.columns.some(({ name }) => hasUnit(name, unit)) === true
  const second = length === undefined ? undefined : isCounted ? counted : numberAt(reading, from)
  if (length === undefined || second === undefined) return
  if (rowNounAt(reading, second.start) !== undefined) return
  const isUnit = reading.tokens[second.end - 1]?.word === reading.stem(second.end - 1)
  if (taken === undefined && !isCounted && second.columns.some(isGroupable)) {
    if (!isUnit) return
    const [one, other] = [first, second].map(({ end, start }) => reading.textOf(start, end))
    const text = `Shall I divide ${one} by ${other}, or show ${one} for each ${other}?`
    reading.lacks(first.start, second.end, text, [
      `ratio of ${one} to ${other}`,
      `${one} by ${other}`,
    ])
    return
  }
  combine(
    reading,
    taken === undefined ? "ratio" : "difference",
    [first, second],
    [first.start, second.end],
  )
}

export const readCombined = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const ratio = reading.phrase(at, ratios)
    const gap = reading.phrase(at, gaps)
    if (ratio !== undefined && readPair(reading, at, at + ratio.length, "ratio")) continue
    if (gap !== undefined && readPair(reading, at, at + gap.length, "difference")) continue
    const mention = reading.mention(at)
    if (mention !== undefined && isNumber(mention)) readPer(reading, mention)
  }
}
