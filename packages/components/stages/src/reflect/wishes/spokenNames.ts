/** The words of a request that name something, which are no words of a wish: quoted, marked, in capitals, or behind "called". */
import type { Word } from "@planloom/planning/reading"
import type { Phrases } from "./phrases.ts"

/** A text in capitals, in which capitals name nothing. */
export const isShouted = (text: string): boolean => text === text.toUpperCase()

export const isQuoted = ({ end, start, text }: Word): boolean => end - start !== text.length

/** With the mark of a symbol or a tag: `$PEPE`, `#17`. */
export const isMarked = ({ start }: Word, text: string): boolean =>
  /[$#@]/.test(text.charAt(start - 1))

/** In capitals, with a letter: `PEPE`, `GPT4`, `PEPE's`. */
export const isInCapitals = ({ text }: Word): boolean =>
  text.length > 1 && /^\p{Lu}[\p{Lu}\p{N}]*(?:['’]s)?$/u.test(text)

/** The word at a place of a clause, if the text itself says that it is a name. */
export const isGivenName = (
  words: ReadonlyArray<Word>,
  at: number,
  text: string,
  naming: ReadonlySet<string>,
): boolean =>
  isQuoted(words[at]!) || isMarked(words[at]!, text) || naming.has(words[at - 1]?.word ?? "")

/** The same, or by its capitals, in a text in which not all is in capitals. A clause begins with its `first` word. */
export const isName = (
  words: ReadonlyArray<Word>,
  at: number,
  text: string,
  { naming, stressed }: Pick<Phrases, "naming" | "stressed">,
  first = 0,
): boolean => {
  if (isGivenName(words, at, text, naming)) return true
  const word = words[at]!
  const isCapital = isInCapitals(word) || (at > first && /^\p{Lu}\p{L}/u.test(word.text))
  // "Is it a SCAM?" stresses the word.
  return isCapital && !stressed.has(words[at - 1]?.word ?? "")
}
