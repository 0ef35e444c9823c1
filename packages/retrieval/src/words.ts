/** Splits text into lower-case words, identifiers into their parts. */

/** Letters that carry no meaning when one searches: `é` finds `e`. */
const accents = /[\u0300-\u036f]/g
const runs = /[\p{L}\p{N}]+/gu
const asciiRuns = /[A-Za-z0-9]+/g
const beyondAscii = /[^\0-\x7f]/
/** Scripts that put no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** `getHTTPResponse` → `get`, `HTTP`, `Response`. */
const humps = /\p{Lu}+(?![\p{Ll}])\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{N}]+|\p{L}+|\p{N}+/gu

const spaced = (run: string, found: Array<string>): void => {
  const whole = run.toLowerCase()
  const parts = whole === run ? [] : (run.match(humps) ?? [])
  if (parts.length > 1) for (const part of parts) found.push(part.toLowerCase())
  found.push(whole)
}

const pairs = (run: string, found: Array<string>): void => {
  const letters = [...run]
  if (letters.length === 1) found.push(run)
  for (let at = 1; at < letters.length; at++) found.push(letters[at - 1]! + letters[at]!)
}

/**
 * The words of a text in order, folded to lower case without accents. `snake_case` and `kebab-case` give
 * their parts; `YouTube` gives its parts and itself, for people write it both ways. Scripts without
 * spaces give pairs of letters.
 */
export const words = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  // Most texts have nothing to fold and no script to look out for.
  if (!beyondAscii.test(text)) {
    for (const run of text.match(asciiRuns) ?? []) spaced(run, found)
    return found
  }
  const folded = text.normalize("NFKD").replace(accents, "").normalize("NFC")
  for (const [run] of folded.matchAll(runs))
    for (const part of isUnspaced.test(run) ? (run.match(unspaced) ?? []) : [run])
      if (isUnspaced.test(part)) pairs(part, found)
      else spaced(part, found)
  return found
}
