/** Reads numbers made of two columns: "revenue per unit", "ratio of tip to fare", "difference between budget and gross". */
import { isGroupable, isMeasurable } from "../columnKinds.ts"
import type { Mention } from "../findMentions.ts"
import { reader, type Found } from "../Form.ts"
import { matchColumns } from "../matchColumns.ts"
import { hasUnit } from "../vocabulary/measureUnits.ts"
import type { Reading } from "../Reading.ts"
import { rowNounAt } from "./readRowNoun.ts"

const combine = (
  found: Found,
  reading: Reading,
  [one, other]: ReadonlyArray<Mention | undefined> = found.all("MEASURE").map(({ of }) => of),
): boolean => {
  const left = one && reading.columnOf(one, isMeasurable)
  const right = other && reading.columnOf(other, isMeasurable)
  if (left === undefined || right === undefined || left === right) return false
  const isGap = found.first("GAP") !== undefined || found.first("MINUS") !== undefined
  const analysis = isGap ? "difference" : "ratio"
  reading.metrics.add(left.name)
  reading.metrics.add(right.name)
  reading.analysis.add(analysis)
  const uses = [`analysis:${analysis}`, `metrics:${left.name}`, `metrics:${right.name}`]
  reading.claim(uses, found.start, found.end)
  return true
}

/** "maximum and minimum temperature": the first name ends like the second. */
const combineShared = (found: Found, reading: Reading): boolean => {
  const [word, second] = [found.first("WORD"), found.of("MEASURE")]
  if (word === undefined || second === undefined || second.end - second.start < 2) return false
  const rest = reading.tokens.slice(second.start + 1, second.end).map(({ stem }) => stem)
  const first = matchColumns([word.of, ...rest], [word.of, ...rest].join(" "), reading.lexicon)
  return first !== undefined && combine(found, reading, [{ ...word, ...first }, second])
}

/** Per a code such as the number of cylinders both a ratio and groups are plain. */
const readPer = (found: Found, reading: Reading): boolean => {
  const [first, second] = found.all("MEASURE").map(({ of }) => of)
  const unit = found.of("UNIT")
  if (first === undefined || second === undefined) return false
  if (unit !== undefined && !second.columns.some(({ name }) => hasUnit(name, unit))) return false
  if (rowNounAt(reading, second.start) !== undefined) return false
  const isCode = unit === undefined && second.columns.some(isGroupable)
  if (!isCode || found.first("MINUS") !== undefined) return combine(found, reading)
  if (reading.tokens[second.end - 1]?.word !== reading.stem(second.end - 1)) return false
  const [one, other] = [first, second].map(({ end, start }) => reading.textOf(start, end))
  const text = `Shall I divide ${one} by ${other}, or show ${one} for each ${other}?`
  const says = [`ratio of ${one} to ${other}`, `${one} by ${other}`]
  reading.lacks(first.start, second.end, text, says)
  return true
}

export const readCombined = reader([
  ["(RATIO | GAP) TERM? MEASURE (TO | /) TERM? MEASURE", combine],
  ["GAP TERM? WORD and MEASURE", combineShared],
  ["MEASURE (PER | MINUS | /) TERM? MEASURE | MEASURE PER UNIT of MEASURE", readPer],
])
