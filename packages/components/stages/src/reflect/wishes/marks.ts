/** Words of a clause from which on things are excluded: negations, and phrases that waive a wish. */
import type { Clause, RequestWord } from "./clauses.ts"
import { covers, spansOf, type Span } from "./phraseSpans.ts"
import type { Phrases } from "./phrases.ts"

export interface Mark extends Span {
  readonly isWaiver: boolean
  /** "No" and "skip" leave out things; "no need for" waives a wish. */
  readonly leavesOut: boolean
}

/**
 * A negation of a doubt excludes nothing, nor does one that repeats it; one before a waiver takes both away: "don't forget the price".
 * `before`: the clauses before in the sentence.
 */
export const marksIn = (
  { words }: Clause,
  before: ReadonlyArray<Clause>,
  phrases: Phrases,
): ReadonlyArray<Mark> => {
  const { doubts, echoes, filters, omissions } = phrases
  const doubted = spansOf(words, doubts)
  const waivers = longest(spansOf(words, omissions)).filter(
    ({ from, to }) => !doubted.some((doubt) => doubt.from <= from && to <= doubt.to),
  )
  const isDoubted = (at: number) =>
    doubted.some(({ to }) => to < at) || before.some((one) => spansOf(one.words, doubts).length > 0)
  const negations = words.flatMap(({ isNegation, word }, at) =>
    isNegation &&
    ![...doubted, ...waivers].some((span) => covers(span, at)) &&
    !(echoes.has(word) && isDoubted(at))
      ? [{ from: at, to: at }]
      : [],
  )
  const marks = [
    ...waivers.map((span) => ({ ...span, isWaiver: true })),
    ...negations.map((span) => ({ ...span, isWaiver: false })),
  ]
    .map((mark) => ({ ...mark, leavesOut: filters.has(textOf(words, mark)) }))
    .toSorted((one, other) => one.from - other.from)
  return marks.filter((_, at) => !isUndone(marks, at, words, phrases))
}

const longest = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  spans.filter(
    (span) =>
      !spans.some(
        (other) =>
          other !== span &&
          other.from <= span.from &&
          span.to <= other.to &&
          other.to - other.from > span.to - span.from,
      ),
  )

const textOf = (words: ReadonlyArray<RequestWord>, { from, to }: Span): string =>
  words
    .slice(from, to + 1)
    .map(({ word }) => word)
    .join(" ")

/** Of two marks, of which the second waives. */
const isUndone = (
  marks: ReadonlyArray<Mark>,
  at: number,
  words: ReadonlyArray<RequestWord>,
  { exclamations }: Phrases,
): boolean => {
  const isPair = (one: Mark | undefined, other: Mark | undefined) =>
    one !== undefined &&
    other?.isWaiver === true &&
    words[one.from]!.isNegation &&
    !exclamations.has(textOf(words, one)) &&
    words.slice(one.to + 1, other.from).every(({ isContent }) => !isContent)
  return isPair(marks[at - 1], marks[at]) || isPair(marks[at], marks[at + 1])
}
