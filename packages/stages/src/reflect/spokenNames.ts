/** The words of a request that name something, which are no words of a wish: quoted, marked, in capitals, or behind "called". */
import type { Grammar, Word } from "@planloom/planning/reading"

/** A text in capitals, in which capitals name nothing. */
export const isShouted = (text: string): boolean => text === text.toUpperCase()

export const isQuoted = ({ end, start, text }: Word): boolean => end - start !== text.length

/** With the mark of a symbol or a tag: `$PEPE`, `#17`. */
export const isMarked = ({ start }: Word, text: string): boolean =>
  /[$#@]/.test(text.charAt(start - 1))

/** In capitals, with a letter: `PEPE`, `GPT4`. */
export const isInCapitals = ({ text }: Word): boolean =>
  text.length > 1 && /^\p{Lu}[\p{Lu}\p{N}]*$/u.test(text)

/** The word at a place of the words of a text, in which not all is in capitals. */
export const isName = (
  words: ReadonlyArray<Word>,
  at: number,
  text: string,
  { naming, stressed }: Pick<Grammar, "naming" | "stressed">,
): boolean => {
  const word = words[at]!
  if (isQuoted(word) || isMarked(word, text)) return true
  const before = words[at - 1]?.word ?? ""
  if (naming.includes(before)) return true
  const isCapital = isInCapitals(word) || (at > 0 && /^\p{Lu}\p{L}/u.test(word.text))
  // "Is it a SCAM?" stresses the word.
  return isCapital && !stressed.includes(before)
}
