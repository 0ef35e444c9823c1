/** Phrases with labels, indexed by their first word. */
import { tokenize } from "../tokens.ts"
import type { Token } from "../tokens.ts"

interface Phrase {
  readonly stems: ReadonlyArray<string>
  readonly label: string
}

/** Phrases by the first of their words, the longest first. */
export interface PhraseBook {
  readonly get: (stem: string) => ReadonlyArray<Phrase> | undefined
}

type Phrases = ReadonlyMap<string, ReadonlyArray<Phrase>>

/** The stems of a phrase; lookups compare stems. */
export const stemsOf = (phrase: string): ReadonlyArray<string> =>
  tokenize(phrase).map(({ stem }) => stem)

export const phraseBook = (lists: {
  readonly [label: string]: ReadonlyArray<string> | undefined
}): Phrases => {
  const book = new Map<string, Array<Phrase>>()
  for (const [label, phrases] of Object.entries(lists)) {
    for (const phrase of phrases ?? []) {
      const stems = stemsOf(phrase)
      const [first] = stems
      if (first === undefined) continue
      const list = book.get(first) ?? []
      list.push({ stems, label })
      book.set(first, list)
    }
  }
  for (const list of book.values()) {
    list.sort((left, right) => right.stems.length - left.stems.length)
  }
  return book
}

/** Grammatical phrases without labels, separated by commas; built at the first lookup. */
export const words = (text: string): PhraseBook => {
  let book: Phrases | undefined
  return { get: (stem) => (book ??= phraseBook({ word: text.split(/,\s+/) })).get(stem) }
}

export interface PhraseMatch {
  readonly label: string
  readonly length: number
}

/** The longest phrase that begins at this token. */
export const phraseAt = (
  tokens: ReadonlyArray<Token>,
  at: number,
  book: PhraseBook,
  isFree: (at: number) => boolean = () => true,
): PhraseMatch | undefined => {
  const first = tokens[at]
  if (first === undefined || first.kind !== "word") return undefined
  const phrase = book
    .get(first.stem)
    ?.find(({ stems }) =>
      stems.every((stem, offset) => tokens[at + offset]?.stem === stem && isFree(at + offset)),
    )
  return phrase === undefined ? undefined : { label: phrase.label, length: phrase.stems.length }
}

/** Every word of every phrase. */
export const wordsIn = (book: Phrases) => [...book.values()].flat().flatMap(({ stems }) => stems)
