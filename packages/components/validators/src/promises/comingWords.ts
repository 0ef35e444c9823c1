/** Verbs of a sentence that are in the future. */
import type { Read } from "./Lexicon.ts"
import type { Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"
import { hasEnding, type WordForms } from "./wordForms.ts"

/** Verbs in the future, and "will" before one. */
export const comingWords = ({ text, words }: Read, forms: WordForms): ReadonlyArray<Place> =>
  words.filter(
    ({ end, start, word }) =>
      forms.coming.has(word) ||
      (forms.comingEndings.size > 0 &&
        hasEnding(text.slice(start, end).toLowerCase(), forms.comingEndings)),
  )

/** Those of which the speaker is not the subject: not "we will surely", "escribiremos". */
export const comingOfOthers = ({ coming, forms, words, text }: Reading): ReadonlyArray<Place> =>
  coming.filter(({ end, start }) => {
    const at = words.findIndex((word) => word.start === start)
    const subject = words
      .slice(0, at)
      .findLast(({ word }) => !forms.adverbs.has(word) && !word.endsWith("ly"))
    return (
      !(subject !== undefined && forms.speakers.has(subject.word)) &&
      !hasEnding(text.slice(start, end).toLowerCase(), forms.ownEndings)
    )
  })
