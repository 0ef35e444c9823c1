/** Reads comparisons with numbers, of rows ("price between 3 and 7", "older than 65") and of groups ("cities with more than 5 orders"). */
import type { Column, FilterOp } from "@planloom/tables"
import { usualFunction } from "../adapt/usualFunction.ts"
import type { Analysis } from "../requirements/Requirements.ts"
import { isGroupable, isMeasurable } from "./columnKinds.ts"
import { hasUnit, sameUnit, unitOf } from "./measureUnits.ts"
import { numberAt } from "./numberWords.ts"
import { words } from "./PhraseBook.ts"
import type { PhraseBook } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import type { Mention } from "./findMentions.ts"
import { grainAt, setGrain } from "./readGrains.ts"
import { readRowNoun, rowNounAt } from "./readRowNoun.ts"

const comparators: ReadonlyArray<readonly [PhraseBook, FilterOp]> = [
  [words("at least, no less than, not less than, a minimum of, minimum of, not below"), ">="],
  [words("at most, no more than, not more than, up to, a maximum of, maximum of, not above"), "<="],
  [
    words(
      "more than, greater than, over, above, higher than, larger than, bigger than, exceeding, exceeds, " +
        "exceed, beyond, better than, of more than, of over, of above, upwards of",
    ),
    ">",
  ],
  [
    words(
      "less than, fewer than, under, below, lower than, smaller than, worse than, of less than, of under, of below",
    ),
    "<",
  ],
  [words("not equal to, is not, isn't, not, other than"), "!="],
  [words("equal to, equals, is exactly, exactly, is, are, of, was, were"), "="],
]
const behind: ReadonlyArray<readonly [PhraseBook, FilterOp]> = [
  [
    words(
      "or more, or higher, or above, or over, or older, or longer, or greater, and above, and over, or better",
    ),
    ">=",
  ],
  [
    words("or less, or fewer, or lower, or below, or under, or younger, or shorter, and below"),
    "<=",
  ],
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
  "is, are, was, were, has, have, had, of, with, a, an, the, being, got, at, cost, costs, weigh, weighs",
)
const having = words(
  "where, with, whose, having, for which, that have, that has, that had, which have, which had, who have, who had, have, has, " +
    "had, with a, with an, that earn, that made, that make, which earn",
)
const conditional = words(
  "where, with, whose, having, if, when, for which, and, or, only, with a, with an, have, has, had, that have, " +
    "who have, which have, that has, have a, has a, had a, that are, who are, are, were, is, was, that were, who were, got, got a, get",
)
const counting = words("have, has, had, with, having")

interface Comparison {
  readonly op: FilterOp
  readonly value: number | readonly [number, number]
  readonly start: number
  /** Behind the number and its unit. */
  readonly end: number
  /** Whether nothing but a number or a weak word compares: "8 cylinders", "is 8". */
  readonly weak: boolean
  readonly unit: string | undefined
  /** The column that the comparison itself names: age in "older than". */
  readonly subject?: Column | undefined
}

const comparatorAt = (
  reading: Reading,
  at: number,
): { op: FilterOp; end: number; subject?: Column | undefined } | undefined => {
  const sign = reading.tokens[at]
  if (sign?.kind === "sign" && Object.hasOwn(signs, sign.text) && !reading.isTaken(at))
    return { op: signs[sign.text] as FilterOp, end: at + 1 }
  const graded = reading.phrase(at, reading.lexicon.comparatives)
  if (graded !== undefined) {
    const [order, of] = graded.label.split(":")
    const subject = reading.subjectOf(of ?? "")
    return { op: order === "desc" ? ">" : "<", end: at + graded.length, subject }
  }
  for (const [book, op] of comparators) {
    const match = reading.phrase(at, book)
    if (match !== undefined) return { op, end: at + match.length }
  }
  return undefined
}

const pastUnit = (reading: Reading, at: number): { end: number; unit: string | undefined } => {
  const unit = unitOf(reading.tokens[at]?.word ?? "")
  const named = reading.mention(at)
  if (unit === undefined || reading.isTaken(at) || (named !== undefined && named.end > at + 1))
    return { end: at, unit: undefined }
  return { end: at + 1, unit }
}

const comparisonAt = (reading: Reading, at: number): Comparison | undefined => {
  if (reading.isTaken(at)) return undefined
  if (reading.stem(at) === "between") {
    const low = numberAt(reading, at + 1)
    const high = low && reading.stem(low.end) === "and" ? numberAt(reading, low.end + 1) : undefined
    if (low === undefined || high === undefined) return undefined
    const value = [low.value, high.value] as const
    return { op: "between", value, start: at, weak: false, ...pastUnit(reading, high.end) }
  }
  const led = comparatorAt(reading, at)
  const number = numberAt(reading, led?.end ?? at)
  if (number === undefined) return undefined
  const { end, unit } = pastUnit(reading, number.end)
  if (led !== undefined) {
    const { op, subject } = led
    return { op, subject, value: number.value, start: at, end, unit, weak: op === "=" }
  }
  for (const [book, op] of behind) {
    const match = reading.phrase(end, book)
    if (match === undefined) continue
    return { op, value: number.value, start: at, end: end + match.length, unit, weak: false }
  }
  const lead = reading.phraseBefore(at, counting)
  return lead === undefined
    ? undefined
    : { op: "=", value: number.value, start: at, end, unit, weak: true }
}

/** The measure of a comparison, named before it. */
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

/** The measure right behind the number: "200 mm of precipitation". */
const measureAfter = (reading: Reading, end: number): Mention | undefined => {
  const skipped = ["of", "in"].includes(reading.stem(end)) ? end + 1 : end
  const mention = reading.mention(end) ?? reading.mention(skipped)
  return mention?.value === undefined && mention?.columns.some(isMeasurable) === true
    ? mention
    : undefined
}

const functions = new Set<string>(["total", "average", "median", "minimum", "maximum", "count"])

/** The function that puts the values of a group together: "total revenue over", "2000 passengers in total". */
const functionNear = (
  reading: Reading,
  from: number,
  end: number,
): { label: Analysis; start: number; end: number } | undefined => {
  const before = reading.phraseBefore(from, reading.lexicon.analysis)
  if (before !== undefined && functions.has(before.label))
    return { label: before.label as Analysis, start: before.start, end: from }
  for (const place of [end, end + 1]) {
    const after = reading.phrase(place, reading.lexicon.analysis)
    if (after === undefined || !functions.has(after.label)) continue
    if (place > end && !["in", "on"].includes(reading.stem(end))) continue
    return { label: after.label as Analysis, start: from, end: place + after.length }
  }
  return undefined
}

/** The groups that a comparison is about: the noun before "with", "having", "that have". */
const subjectBefore = (reading: Reading, at: number) => {
  const lead = reading.phraseBefore(at, having)
  if (lead === undefined) return undefined
  const mention = reading.mentions.find(
    (one) => one.end === lead.start && one.value === undefined && one.columns.some(isGroupable),
  )
  if (mention !== undefined) return { lead, mention }
  const grain = grainAt(reading, lead.start - 1)
  const isPlural = reading.tokens[lead.start - 1]?.word !== reading.stem(lead.start - 1)
  return grain !== undefined && grain.grain !== "day" && isPlural
    ? { lead, grain: grain.grain }
    : undefined
}

/** Keeps groups instead of rows; whether the words say so. */
const readHaving = (
  reading: Reading,
  comparison: Comparison,
  column: Column | undefined,
  [from, to]: readonly [number, number],
): boolean => {
  const put = column === undefined ? undefined : functionNear(reading, from, to)
  const subject = subjectBefore(reading, put?.start ?? from)
  if (subject === undefined) return false
  const { grain, lead, mention } = subject
  const group = mention === undefined ? undefined : reading.columnOf(mention, isGroupable)
  if (mention !== undefined && (group === undefined || group.unique === true)) return false
  const label = column === undefined ? "count" : (put?.label ?? usualFunction([column.name]))
  const name = column?.name ?? "count"
  if (column !== undefined && put === undefined && label !== "total") return false
  const op = comparison.op
  reading.constraints.push({ kind: "having", column: name, op, value: comparison.value })
  const uses = [`having:${name}`, `analysis:${label}`]
  if (column !== undefined) {
    reading.metrics.add(column.name)
    uses.push(`metrics:${column.name}`)
  }
  reading.analysis.add(label)
  reading.claim(uses, lead.start, Math.max(to, put?.end ?? to))
  if (group !== undefined && mention !== undefined) {
    reading.groupBy.add(group.name)
    reading.claim(`group_by:${group.name}`, mention.start, mention.end)
  } else if (grain !== undefined) setGrain(reading, grain, lead.start - 1, lead.start)
  return true
}

/** "under 25" of people is their age. */
const ageOf = (reading: Reading): Column | undefined =>
  reading.profile.columns.find(({ name }) => /^age$/i.test(name))

const readThreshold = (reading: Reading, at: number): void => {
  const found = comparisonAt(reading, at)
  if (found === undefined) return
  const { end, op, start, unit, value, weak } = found
  const timed = reading.phrase(end, reading.lexicon.grains) !== undefined
  const named = found.subject === undefined ? measureBefore(reading, start) : undefined
  // "over 3 months" is a period.
  const own = named?.columns.some((one) => hasUnit(one.name, unit)) === true
  if (timed && !own && found.subject === undefined) return
  const after =
    named === undefined && found.subject === undefined ? measureAfter(reading, end) : undefined
  if (weak && op === "=" && named === undefined && after === undefined) return
  const mention = named ?? after
  if (mention === undefined && found.subject === undefined) {
    const row = weak ? undefined : rowNounAt(reading, end)
    if (row !== undefined && readHaving(reading, found, undefined, [start, row])) {
      readRowNoun(reading, end)
      return
    }
  }
  const isAge =
    mention === undefined &&
    found.subject === undefined &&
    !weak &&
    unit === undefined &&
    !Array.isArray(value) &&
    Number(value) < 120
  const column =
    found.subject ??
    (mention === undefined
      ? isAge
        ? ageOf(reading)
        : undefined
      : reading.columnOf(mention, isMeasurable))
  if (column === undefined) return
  // A number of another unit than the column's is another number.
  if (unit !== undefined && !sameUnit(unit, column.name)) return
  const from = Math.min(mention?.start ?? start, start)
  const to = Math.max(end, mention?.end ?? end)
  // The rows of a measure that is no column are counted: "10 or more movies".
  if (readHaving(reading, found, column, [from, to])) return
  const put = functionNear(reading, from, to)
  if (put !== undefined && put.label !== "count" && reading.phraseBefore(put.start, having)) {
    reading.lacks(
      put.start,
      Math.max(to, put.end),
      `It is open which groups "${reading.textOf(put.start, Math.max(to, put.end))}" is about.`,
    )
    return
  }
  const led = reading.phraseBefore(from, conditional)
  const used = `filter:${column.name}`
  reading.claim(used, from, to)
  if (led !== undefined) reading.claim(used, led.start, from)
  reading.filter(column, op, value, { start: from, end: to })
}

export const readThresholds = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) readThreshold(reading, at)
}
