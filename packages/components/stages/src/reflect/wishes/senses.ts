/** Fixed phrases that take words their sense: idioms their own, dismissals and known things those around them. */
import type { Phrases } from "./phrases.ts"
import { spansOf, type PhraseList, type Span } from "./phraseSpans.ts"
import type { Scope, ScopedWord } from "./ScopedWord.ts"

export const setSenses = (words: Array<ScopedWord>, phrases: Phrases): void => {
  const close = (from: number, to: number, sense: Scope) => {
    for (let at = from; at <= to; at++)
      if (words[at]!.sense !== "withdrawn") words[at] = { ...words[at]!, sense }
  }
  const doubts = spansOf(words, phrases.doubts)
  const said = (kind: PhraseList) =>
    spansOf(words, kind).filter(
      ({ from, to }) => !doubts.some((doubt) => doubt.from <= from && to <= doubt.to),
    )
  for (const { from, to } of spansOf(words, phrases.idioms)) close(from, to, "excluded")
  for (const { from, to } of said(phrases.known))
    // "How do I know that it is safe?" asks.
    if (words[from - 1]?.isQuestion !== true)
      close(...partAround(words, from, to, phrases), "excluded")
  for (const { from, to } of said(phrases.dismissals))
    close(...partAround(words, from, to, phrases), "withdrawn")
}

/** Whether it asks if something is true: "is he right?", which asks for what was stated before. */
export const isConfirming = (
  words: ReadonlyArray<ScopedWord>,
  { confirmations }: Phrases,
): boolean =>
  spansOf(words, confirmations).some(({ from, to }) =>
    words.slice(from, to + 1).every(({ scope }) => scope === "open"),
  )

/** The statement of a clause that asks nothing: "it's safe", what others say, what was. "It's safe or not" asks. */
export const setStatements = (words: Array<ScopedWord>, phrases: Phrases): void => {
  const isDoubted = spansOf(words, phrases.doubts).some(
    ({ from, to }) => from < to || !phrases.resumes.has(words[from]!.word),
  )
  if (isDoubted) return
  const claim = spansOf(words, phrases.claims).find(({ from }) => from === 0)
  const [report] = spansOf(words, phrases.reports)
  const isWhole = isAccount(words, phrases) || (report !== undefined && !asks(words, report.from))
  const from = isWhole ? 0 : Math.min(...[claim, report].map(firstBehind))
  for (let at = from; at < words.length; at++) words[at] = { ...words[at]!, isStated: true }
}

const firstBehind = (span: Span | undefined): number =>
  span === undefined ? Infinity : span.to + 1

const asks = (words: ReadonlyArray<ScopedWord>, end = words.length): boolean =>
  words.slice(0, end).some(({ isQuestion, isRequest }) => isQuestion || isRequest)

/** "My wallet was drained by a scam", but not "I wanted to know if it is a scam". */
const isAccount = (words: ReadonlyArray<ScopedWord>, { pleas, subjects }: Phrases): boolean =>
  subjects.has(words[0]!.word) &&
  words.some(({ isPast }) => isPast) &&
  !asks(words) &&
  !words.some(({ word }) => pleas.has(word))

/** The part of a clause between two words that resume a wish. */
export const partAround = (
  words: ReadonlyArray<ScopedWord>,
  from: number,
  to: number,
  { resumes }: Phrases,
): readonly [number, number] => {
  const ends = words.flatMap(({ word }, at) => (resumes.has(word) ? [at] : []))
  return [
    (ends.findLast((end) => end < from) ?? -1) + 1,
    (ends.find((end) => end > to) ?? words.length) - 1,
  ]
}
