/** Reads how a question about a table is put: wishes to see something, question words, auxiliaries, and its scope. */
import { english, readWords } from "@planloom/planning/reading"
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { readRowNoun } from "./readRowNoun.ts"

/** Words that make a question of a statement about all rows, whatever their tense. */
const auxiliaries = words(
  "what, what's, which, is, are, was, were, been, do, does, did, done, has, have, had, " +
    "is there, are there, was there, were there",
)

/** "how did revenue develop" asks for what the analysis gives; "how old" asks for something else. */
const how = words(
  "how do, how does, how did, how is, how are, how was, how were, how has, how have, how's",
)
const explained = [
  "trend",
  "compare",
  "distribution",
  "correlation",
  "anomaly",
  "summary",
  "share",
  "change",
  "ranking",
] as const

/** Words for the whole of the rows. */
const whole = words("all, all of, whole, entire, overall, in all, everywhere")

/** "between units and returns", once the analysis relates two things. */
const relating = words(
  "between, among, with, against, versus, vs, than, both, each other, together",
)

/** "cars from Japan", "the average weight of cars": a plural that no column is near names the rows. */
export const readSubject = (reading: Reading): void => {
  const { analysis, constraints, groupBy, metrics, tokens } = reading
  if (
    metrics.size + constraints.length + groupBy.size + analysis.size === 0 &&
    reading.grain === "unknown"
  )
    return
  for (const [at, { kind, stem, word }] of tokens.entries()) {
    if (kind !== "word" || reading.isTaken(at)) continue
    if (reading.phrase(at, reading.lexicon.common) !== undefined) continue
    let before = at - 1
    while (
      before >= 0 &&
      tokens[before]?.kind === "word" &&
      ["the", "all", "our", "a"].includes(reading.stem(before))
    )
      before--
    const uses = before < 0 ? [] : reading.usesAt(before)
    const isLed =
      before < 0 ||
      ["of", "among", "do", "does", "did"].includes(reading.stem(before)) ||
      uses.some((use) => /^(filter|analysis|wish|top_n)/.test(use))
    const isLast = at === tokens.length - 1 || tokens[at + 1]?.kind === "sign"
    if (stem !== word ? isLed : isLed && isLast && uses.includes("filter")) readRowNoun(reading, at)
  }
}

const conditional = words("where, with, whose, having, that have, that has, who have")
const kinds = words("type, kind, name, category, class, group, status, level, method")

/** "where" belongs to the condition it introduces, the "type" of "weather type" to the column before it. */
const readBeside = (reading: Reading, at: number): void => {
  const { tokens } = reading
  const conditions = reading.phrase(at, conditional)
  if (conditions !== undefined) {
    const end = at + conditions.length
    const next = tokens.findIndex((_, place) => place >= end && reading.isTaken(place))
    const [use] = next < 0 ? [] : reading.usesAt(next)
    const between = tokens
      .slice(end, next)
      .every((_, place) => reading.phrase(end + place, reading.lexicon.common) !== undefined)
    if (use?.startsWith("filter:") === true && between) reading.claim(use, at, end)
  }
  const [before] = at === 0 ? [] : reading.usesAt(at - 1)
  if (before !== undefined && /^(group_by|metrics):/.test(before) && reading.phrase(at, kinds))
    reading.claim(before, at)
}

export const readWishes = (reading: Reading): void => {
  const { analysis, lexicon, tokens } = reading
  const wishes = new Set(
    readWords(reading.written(0, tokens.length), english).flatMap(({ operator, start }) =>
      operator === "look" ? [start] : [],
    ),
  )
  const relates = analysis.has("compare") || analysis.has("correlation")
  for (let at = 0; at < tokens.length; at++) {
    if (reading.isTaken(at)) continue
    if (wishes.has((tokens[at]?.start ?? 0) - (tokens[0]?.start ?? 0))) reading.claim("wish", at)
    const match =
      reading.phrase(at, lexicon.silent) ??
      reading.phrase(at, lexicon.rows) ??
      reading.phrase(at, auxiliaries) ??
      reading.phrase(at, whole) ??
      (explained.some((one) => analysis.has(one)) ? reading.phrase(at, how) : undefined) ??
      (relates ? reading.phrase(at, relating) : undefined)
    if (match !== undefined) reading.claim("wish", at, at + match.length)
    else readBeside(reading, at)
  }
}
