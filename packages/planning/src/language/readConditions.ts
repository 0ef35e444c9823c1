/** Conditions on columns: "units over 10", "price between 3 and 7", "in Europe", "excluding Toys", "A vs B". */
import type { Column } from "../DataProfile.ts"
import type { FilterOp } from "../Requirements.ts"
import type { Mention } from "./findMentions.ts"
import { measures, words } from "./Reading.ts"
import type { Reading } from "./Reading.ts"

const comparators: ReadonlyArray<readonly [ReturnType<typeof words>, FilterOp]> = [
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

/** The measure a comparison is about: named before it, else right after the number. */
const measureBefore = (reading: Reading, at: number): Mention | undefined => {
  let end = at
  for (let steps = 0; steps < 3; steps++) {
    const mention = reading.mentions.find((one) => one.end === end && one.value === undefined)
    if (mention !== undefined) return mention.columns.some(measures) ? mention : undefined
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

/** A column in a condition is a condition's; it stays a metric only when the question has no other. */
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
  const named = measureBefore(reading, at)
  const follows = reading.mention(end)
  const mention = named ?? (follows?.columns.some(measures) === true ? follows : undefined)
  // "average of 5" compares nothing.
  const weak = comparator?.op === "=" && named === undefined
  if (mention === undefined || weak) return
  const column = reading.columnOf(mention, measures)
  if (column === undefined) return
  const led = reading.phraseBefore(mention.start, conditional)
  reading.take(Math.min(mention.start, at), Math.max(end, mention.end))
  if (led !== undefined && led.label === "word") reading.take(led.start, mention.start)
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

const readMissing = (reading: Reading, at: number): void => {
  const match = reading.phrase(at, missingWords)
  if (match === undefined) return
  const before = reading.mentions.find(({ end, value }) => end === at && value === undefined)
  const mention = before ?? reading.mention(at + match.length)
  const column =
    mention === undefined || mention.value !== undefined ? undefined : reading.columnOf(mention)
  if (mention === undefined || column === undefined) return
  reading.take(Math.min(mention.start, at), Math.max(mention.end, at + match.length))
  reading.filter(column, "is_null")
}

const refusing = words(
  "excluding",
  "exclude",
  "except",
  "except for",
  "without",
  "not",
  "not in",
  "not for",
  "not from",
  "other than",
  "ignoring",
  "ignore",
  "apart from",
  "aside from",
  "leave out",
  "leaving out",
  "but not",
  "but not in",
  "outside",
  "outside of",
  "minus",
  "everything but",
  "all but",
  "no",
  "isn't",
  "is not",
  "are not",
  "aren't",
  "!=",
  "<>",
)
const limiting = words(
  "in",
  "for",
  "from",
  "of",
  "only",
  "just",
  "within",
  "only in",
  "only for",
  "just for",
  "just in",
  "at",
  "on",
  "with",
  "by",
  "to",
  "is",
  "are",
  "=",
  "equals",
  "equal to",
  "about",
  "only from",
  "where",
  "called",
  "named",
  "like",
  "inside",
  "than in",
)
const fillers = words("the", "a", "an", "our", "all", "any", "both", "either", "and", "or")

/** What the words before a value say of it, past articles and the name of its column. */
const stanceBefore = (
  reading: Reading,
  at: number,
  column: Column,
): { readonly negated: boolean; readonly start: number } => {
  let start = at
  let negated = false
  for (let steps = 0; steps < 6; steps++) {
    if (start > 0 && reading.isTaken(start - 1)) break
    const refusal = reading.phraseBefore(start, refusing)
    if (refusal !== undefined) return { negated: true, start: refusal.start }
    const filler = reading.phraseBefore(start, fillers) ?? reading.phraseBefore(start, limiting)
    const named = reading.mentions.find(
      (one) => one.end === start && one.value === undefined && one.columns.includes(column),
    )
    const sign = reading.tokens[start - 1]?.kind === "sign" ? reading.tokens[start - 1] : undefined
    if (filler !== undefined) start = filler.start
    else if (named !== undefined) start = named.start
    else if (sign?.text === "=" || sign?.text === ":") start -= 1
    else if (sign !== undefined && signs[sign.text] === "!=") {
      negated = true
      start -= 1
    } else break
  }
  return { negated, start }
}

/** "grouped by region" is no filter: a name that "by" leads stays. */
const keepsGroup = (reading: Reading, start: number, at: number) => {
  for (let place = start; place < at; place++) {
    if (["by", "per", "each", "every"].includes(reading.stem(place))) return true
  }
  return false
}

const joints = words(
  "and",
  "or",
  "vs",
  "versus",
  "against",
  "with",
  "to",
  "compared to",
  "compared with",
  "&",
  "/",
  ",",
  "nor",
  "than",
)
const versus = words("vs", "versus", "against", "compared to", "compared with", "than")

const columnFor = (reading: Reading, mention: Mention): Column | undefined => {
  // "destination Paris": the column named next to the value decides.
  const named = mention.columns.filter((column) =>
    reading.mentions.some(
      (one) =>
        one.value === undefined &&
        one.columns.includes(column) &&
        (Math.abs(one.end - mention.start) <= 2 || Math.abs(one.start - mention.end) <= 1),
    ),
  )
  return named.length === 1 ? named[0] : reading.columnOf(mention)
}

const jointAt = (
  reading: Reading,
  at: number,
): { length: number; compares: boolean } | undefined => {
  const sign = reading.tokens[at]
  if (sign?.kind === "sign" && [",", "/", "&"].includes(sign.text) && !reading.isTaken(at)) {
    const also = reading.phrase(at + 1, joints)
    return { length: 1 + (also?.length ?? 0), compares: false }
  }
  const match = reading.phrase(at, joints)
  if (match === undefined) return undefined
  return { length: match.length, compares: reading.phrase(at, versus) !== undefined }
}

const readValues = (reading: Reading, first: Mention): void => {
  const column = columnFor(reading, first)
  if (column === undefined || first.value === undefined) {
    reading.take(first.start, first.end)
    return
  }
  const values = [first.value]
  let { end } = first
  let compared = false
  for (;;) {
    const joint = jointAt(reading, end)
    const place = end + (joint?.length ?? 0)
    const article = reading.phrase(place, fillers)?.length ?? 0
    const next = joint === undefined ? undefined : reading.mention(place + article)
    if (next?.value === undefined || !next.columns.includes(column)) break
    values.push(next.value)
    compared ||= joint?.compares === true
    ;({ end } = next)
  }
  const { negated, start } = stanceBefore(reading, first.start, column)
  const grouped = keepsGroup(reading, start, first.start)
  const trailing = reading.mention(end)
  // "the North region": the name after the value belongs to it.
  const named = trailing?.value === undefined && trailing?.columns.includes(column) === true
  reading.take(grouped ? first.start : start, named ? (trailing?.end ?? end) : end)
  const unique = [...new Set(values)]
  const only = unique.length === 1 ? (unique[0] as string) : unique
  reading.filter(
    column,
    negated ? (unique.length === 1 ? "!=" : "not_in") : unique.length === 1 ? "=" : "in",
    only,
  )
  if (grouped) reading.groupBy.add(column.name)
  const asked = reading.tokens.some(({ stem }) =>
    ["compare", "comparison", "difference", "comparing", "differ", "better", "versu"].includes(
      stem,
    ),
  )
  if (unique.length > 1 && !negated && (compared || asked)) {
    reading.analysis.add("compare")
    reading.groupBy.add(column.name)
  }
}

export const readConditions = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    readNumber(reading, at)
    readMissing(reading, at)
    const mention = reading.mention(at)
    if (mention?.value !== undefined) readValues(reading, mention)
  }
}
