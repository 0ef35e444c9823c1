/** Words of a text, without case, accents and disguise, with their places. */
import { LOOK_ALIKES } from "./lookAlikes.ts"

export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
  /** No phrase has the word before it and this one: a sentence ends between them, or they are no words that people write. */
  readonly starts: boolean
}

/** Characters of a word, and of what separates two words, in a phrase. */
export const MAX_WORD = 40

// Characters without a shape may lie inside a word; letters in circles are no letters to Unicode, but alphabetic. "100%" is not
// "100".
const WORD =
  /[\p{Alphabetic}\p{N}][\p{Alphabetic}\p{N}\p{M}\p{DI}]*(?:['’]\p{L}[\p{L}\p{M}\p{DI}]*)*(?:%(?<=\p{N}%))?/gu

export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  let before = 0
  let isLong = false
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const end = start + word.length
    const between = text.slice(before, start)
    const wasLong = isLong
    const plain = folded(word)
    isLong = plain.length > MAX_WORD
    words.push({
      word: plain,
      start,
      end,
      starts: isLong || wasLong || between.length > MAX_WORD || /[.!?;\n]/.test(between),
    })
    before = end
  }
  return words
}

/** Case, accents, characters without a shape, and letters that only look like Latin ones make no difference. */
export const folded = (text: string): string =>
  // Most words have no accent, and normalizing costs more than looking.
  /^[\w'%]*$/.test(text)
    ? text.toLowerCase()
    : [
        ...text
          .normalize("NFKD")
          .replaceAll(/[\p{M}\p{DI}]/gu, "")
          .toLowerCase(),
      ]
        .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
        .join("")
