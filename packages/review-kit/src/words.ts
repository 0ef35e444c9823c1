/** Words of a text, without case and accents, with their places. */

export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
  /** A sentence ends between the word before it and this one. */
  readonly starts: boolean
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*/gu

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

export const folded = (text: string): string =>
  // Most words have no accent, and normalizing costs more than looking.
  /^[\w']*$/.test(text)
    ? text.toLowerCase()
    : text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase()
