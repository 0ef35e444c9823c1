/** Verbs of a sentence that are in the future. */
import type { Read } from "./Lexicon.ts"
import type { Place } from "./Place.ts"
import type { WordForms } from "./wordForms.ts"

/** Verbs in the future, and "will" before one. */
export const comingWords = ({ text, words }: Read, forms: WordForms): ReadonlyArray<Place> =>
  words.filter(
    ({ end, start, word }) =>
      forms.coming.has(word) ||
      (forms.comingEndings.size > 0 &&
        hasEnding(text.slice(start, end).toLowerCase(), forms.comingEndings)),
  )

export const hasEnding = (word: string, endings: ReadonlySet<string>): boolean => {
  for (const ending of endings) if (word.endsWith(ending)) return true
  return false
}
