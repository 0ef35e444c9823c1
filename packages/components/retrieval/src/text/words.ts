/** Splits text into lower-case words, and identifiers into their parts. */

/** Combining accents, ignored in search: `é` matches `e`. */
const accents = /[\u0300-\u036f]/g
const runs = /[\p{L}\p{N}]+/gu
const asciiRuns = /[A-Za-z0-9]+/g
const beyondAscii = /[^\0-\x7f]/
/** Runs of scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** `getHTTPResponse` → `get`, `HTTP`, `Response`. */
const camelCaseParts = /\p{Lu}+(?![\p{Ll}])\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{N}]+|\p{L}+|\p{N}+/gu

const addWord = (run: string, found: Array<string>): void => {
  const whole = run.toLowerCase()
  const parts = whole === run ? [] : (run.match(camelCaseParts) ?? [])
  if (parts.length > 1) for (const part of parts) found.push(part.toLowerCase())
  found.push(whole)
}

const addLetterPairs = (run: string, found: Array<string>): void => {
  const letters = [...run]
  if (letters.length === 1) found.push(run)
  for (let at = 1; at < letters.length; at++) found.push(letters[at - 1]! + letters[at]!)
}

/**
 * The words of a text in order, in lower case without accents. `snake_case` and `kebab-case` are split into parts;
 * `YouTube` yields its parts and the whole word, because people write both. Scripts without spaces yield pairs of
 * letters.
 */
export const words = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  // Fast path for ASCII, which needs no folding and no script detection.
  if (!beyondAscii.test(text)) {
    for (const run of text.match(asciiRuns) ?? []) addWord(run, found)
    return found
  }
  const folded = text.normalize("NFKD").replace(accents, "").normalize("NFC")
  for (const [run] of folded.matchAll(runs))
    for (const part of isUnspaced.test(run) ? (run.match(unspaced) ?? []) : [run])
      if (isUnspaced.test(part)) addLetterPairs(part, found)
      else addWord(part, found)
  return found
}
