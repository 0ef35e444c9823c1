/** Slips of the finger in words that a program knows, mended: `blutooth` → `bluetooth`, `opne` → `open`. */
import { folded } from "./words.ts"

/** Shorter words are too near to others. */
const LEAST = 4

/** A letter that is another one makes another word too easily where there are few. */
const LEAST_EXCHANGED = 6

/** One letter left out, doubled or put in, two exchanged, or another one; the first is nearly always right. */
const isSlip = (written: string, meant: string): boolean => {
  if (written[0] !== meant[0] || Math.abs(written.length - meant.length) > 1) return false
  let at = 0
  while (at < written.length && written[at] === meant[at]) at++
  const rest = (text: string, from: number) => text.slice(from)
  if (written.length > meant.length) return rest(written, at + 1) === rest(meant, at)
  if (written.length < meant.length) return rest(written, at) === rest(meant, at + 1)
  const swapped =
    written[at] === meant[at + 1] &&
    written[at + 1] === meant[at] &&
    rest(written, at + 2) === rest(meant, at + 2)
  return (
    swapped || (written.length >= LEAST_EXCHANGED && rest(written, at + 1) === rest(meant, at + 1))
  )
}

/**
 * The text with each word that nobody knows put right, where exactly one known word is meant. Quoted text stays, and
 * so do words with capitals inside a sentence: they are names.
 */
export const mended = (text: string, known: ReadonlySet<string>): string =>
  text.replace(
    /["“„«'‘][^"”»'’]*["”»'’]|(?<![\p{L}\p{N}_.@-])[\p{L}]+(?![\p{L}\p{N}_@-]|\.\p{L})/gu,
    (word, at: number) => {
      const plain = folded(word)
      if (plain.length < LEAST || !/^[a-z]+$/.test(plain) || known.has(plain)) return word
      if (at > 0 && /^\p{Lu}/u.test(word)) return word
      const meant = [...known].filter((one) => one.length >= LEAST && isSlip(plain, one))
      return meant.length === 1 ? meant[0]! : word
    },
  )
