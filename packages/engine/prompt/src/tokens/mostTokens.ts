/** The most tokens a text can be expected to have where its model's tokenizer is not known. */

/** Half as much again as four letters in a token: newer tokenizers use up to that many more. */
const LETTER = 0.375
/** Beyond the Latin blocks, half as much again as one character in a token. */
const WIDE = 1.5

/**
 * Counts words by their letters, with at least one token each, and digits, marks and line ends one by one, as the
 * tokenizers do that split most. Tables, ids and encoded files take twice as many tokens as prose of their length.
 */
export const mostTokens = (text: string): number => {
  let total = 0
  let word = 0
  let capitals = false
  const endWord = () => {
    if (word > 0) total += Math.max(1, word * (capitals ? 2 : 1) * LETTER)
    word = 0
  }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const capital = code >= 65 && code <= 90
    if (capital || (code >= 97 && code <= 122) || (code >= 0xc0 && code <= 0x24f)) {
      // `camelCase` is two words; one capital may begin a word of small letters.
      if (word > 0 && capital !== capitals && (capital || word > 1)) endWord()
      capitals = capital
      word++
      continue
    }
    endWord()
    total += code > 0x24f ? WIDE : code === 32 ? LETTER : 1
  }
  endWord()
  return Math.ceil(total)
}
