/** Reads how a question about a table is put: wishes to see something, question words, auxiliaries, and its scope. */
import { english, readWords } from "@planloom/planning/reading"
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { readRowNoun } from "./readRowNoun.ts"

/** Words that make a question of a statement about all rows, whatever their tense. */
const auxiliaries = words(
  "what",
  "what's",
  "which",
  "is",
  "are",
  "was",
  "were",
  "been",
  "do",
  "does",
  "did",
  "done",
  "has",
  "have",
  "had",
  "is there",
  "are there",
  "was there",
  "were there",
)

/** "how did revenue develop" asks for what the analysis gives; "how old" asks for something else. */
const how = words(
  "how do",
  "how does",
  "how did",
  "how is",
  "how are",
  "how was",
  "how were",
  "how has",
  "how have",
  "how's",
)
const explained = [
  "trend",
  "compare",
  "distribution",
  "correlation",
  "anomaly",
  "summary",
  "share",
  "ranking",
] as const

/** Words for the whole of the rows. */
const whole = words("all", "all of", "whole", "entire", "overall", "in all", "everywhere")

/** "between units and returns", once the analysis relates two things. */
const relating = words(
  "between",
  "among",
  "with",
  "against",
  "versus",
  "vs",
  "than",
  "both",
  "each other",
  "together",
)

/** "how many units were sold": the verb of a measure that is named, by the synonyms of its name. */
const readVerb = (reading: Reading, at: number): void => {
  const meant = reading.lexicon.synonyms.get(reading.stem(at))
  for (const { column, parts } of reading.lexicon.columns)
    if (reading.metrics.has(column.name) && parts.some((part) => meant?.has(part) === true))
      reading.claim(`metrics:${column.name}`, at)
}

/** "cars from Japan", "the average weight of cars": a plural that no column is near names the rows. */
const readSubject = (reading: Reading): void => {
  const { tokens } = reading
  const isOpen = (at: number) =>
    tokens[at]?.kind === "word" &&
    !reading.isTaken(at) &&
    reading.phrase(at, reading.lexicon.common) === undefined
  const open = tokens.flatMap((_, at) => (isOpen(at) ? [at] : []))
  const [at] = open
  if (at === undefined || open.length > 1 || reading.rowWord !== undefined) return
  const { stem, word } = tokens[at] ?? { stem: "", word: "" }
  if (stem === word || reading.metrics.size + reading.constraints.length === 0) return
  const isLed =
    reading.stem(at - 1) === "of" || reading.usesAt(at - 1).some((use) => use.startsWith("filter:"))
  const isFirst = tokens
    .slice(0, at)
    .every(
      (_, before) =>
        reading.isTaken(before) || reading.phrase(before, reading.lexicon.common) !== undefined,
    )
  const isMeasured = tokens.slice(0, at).some((_, before) => reading.isTaken(before))
  if (isLed || (isFirst && !isMeasured)) readRowNoun(reading, at)
}

const conditional = words("where", "with", "whose", "having", "that have", "that has", "who have")
const kinds = words("type", "kind", "name", "category", "class", "group")

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
    else {
      readVerb(reading, at)
      readBeside(reading, at)
    }
  }
  readSubject(reading)
}
