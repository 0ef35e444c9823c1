/** Fixed phrases that take words their sense: idioms their own, dismissals and known things those around them. */
import type { Phrases } from "./phrases.ts"
import { spansOf, type PhraseList } from "./phraseSpans.ts"
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
