/** Words of a text, without case, accents and disguise, with their places. */
import { LOOK_ALIKES } from "./lookAlikes.ts"

export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
  /** A sentence ends between the word before it and this one. */
  readonly starts: boolean
}

// Characters without a shape may lie inside a word; letters in circles are no letters to Unicode, but alphabetic.
const WORD =
  /[\p{Alphabetic}\p{N}][\p{Alphabetic}\p{N}\p{M}\p{DI}]*(?:['’]\p{L}[\p{L}\p{M}\p{DI}]*)*/gu

export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  let before = 0
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const end = start + word.length
    words.push({
      word: folded(word),
      start,
      end,
      starts: /[.!?;\n]/.test(text.slice(before, start)),
    })
    before = end
  }
  return words
}

/** Case, accents, characters without a shape, and letters that only look like Latin ones make no difference. */
export const folded = (text: string): string =>
  // Most words have no accent, and normalizing costs more than looking.
  /^[\w']*$/.test(text)
    ? text.toLowerCase()
    : [
        ...text
          .normalize("NFKD")
          .replaceAll(/[\p{M}\p{DI}]/gu, "")
          .toLowerCase(),
      ]
        .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
        .join("")
