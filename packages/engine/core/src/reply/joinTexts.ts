/** Joins a text that was cut with its continuation, without the words that both contain. */

/** Characters of the end that a continuation repeats at most. */
const MAX_OVERLAP = 1000

/** An overlap inside a word counts from this length: shorter ones may be accidental. */
const MIN_INNER_OVERLAP = 8

/** Characters of the end that a model is asked to repeat. */
const LAST_CHARS = 60

/** The end of a text from the start of a word. */
export const lastWords = (text: string): string => {
  const end = text.slice(-LAST_CHARS)
  const start = text.length > LAST_CHARS ? end.search(/\s\S/) + 1 : 0
  return end.slice(start)
}

/** The longest overlap that starts a word counts; a continuation without one is added unchanged. */
export const joinTexts = (text: string, next: string): string => {
  const added = next.trimStart()
  const end = text.trimEnd()
  for (let size = Math.min(MAX_OVERLAP, end.length, added.length); size > 0; size--) {
    if (!end.endsWith(added.slice(0, size))) continue
    const before = end.charAt(end.length - size - 1)
    if (size >= MIN_INNER_OVERLAP || !/[\p{L}\p{N}]/u.test(before)) {
      return end + added.slice(size)
    }
  }
  return text + next
}
