/** Places of fixed phrases among words; `…` in a phrase stands for any words between its parts. */
import type { Word } from "@planloom/planning/reading"

/** Indexes of the first and the last word. */
export interface Span {
  readonly from: number
  readonly to: number
}

type Parts = ReadonlyArray<ReadonlyArray<string>>

/** Phrases by their first words. */
export type PhraseList = ReadonlyMap<string, ReadonlyArray<Parts>>

export const phraseList = (phrases: ReadonlyArray<string>): PhraseList => {
  const list = new Map<string, Array<Parts>>()
  for (const phrase of phrases) {
    const parts = phrase.split(" … ").map((part) => part.split(" "))
    const [[first]] = parts as [[string]]
    list.set(first, [...(list.get(first) ?? []), parts])
  }
  return list
}

export const spansOf = (
  words: ReadonlyArray<Pick<Word, "word">>,
  phrases: PhraseList,
): ReadonlyArray<Span> =>
  words.flatMap(({ word }, from) =>
    (phrases.get(word) ?? []).flatMap((parts) => {
      const to = endOf(words, from, parts)
      return to === undefined ? [] : [{ from, to }]
    }),
  )

const endOf = (
  words: ReadonlyArray<Pick<Word, "word">>,
  from: number,
  [first, ...rest]: Parts,
): number | undefined => {
  if (!first!.every((part, offset) => words[from + offset]?.word === part)) return undefined
  const to = from + first!.length - 1
  if (rest.length === 0) return to
  for (let next = to + 1; next < words.length; next++) {
    const end = endOf(words, next, rest)
    if (end !== undefined) return end
  }
  return undefined
}

export const covers = ({ from, to }: Span, at: number): boolean => from <= at && at <= to
