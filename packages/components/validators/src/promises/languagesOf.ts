/** The languages in which a sentence is read: a word that two have, such as "once" or "sale", means something else in each. */
import type { Word } from "@planloom/review-kit"
import words from "./words.json" with { type: "json" }

export type Language = "en" | "es"

export const languages: ReadonlyArray<Language> = ["en", "es"]

/** Whole words of the lists of a language. */
const vocabularyOf = (lists: unknown, language: Language, isOfIt: boolean): ReadonlyArray<string> =>
  Array.isArray(lists)
    ? isOfIt
      ? lists.flatMap((phrase: string) => phrase.split(/[ |]/))
      : []
    : Object.entries(lists as object).flatMap(([key, inner]) =>
        vocabularyOf(inner, language, isOfIt || key === language),
      )

const [english, spanish] = languages.map(
  (language) => new Set(vocabularyOf(words, language, false)),
)

/** 1 for a word that only English has, -1 for one that only Spanish has. */
const weights: ReadonlyMap<string, number> = new Map([
  ...[...english!].filter((word) => !spanish!.has(word)).map((word) => [word, 1] as const),
  ...[...spanish!].filter((word) => !english!.has(word)).map((word) => [word, -1] as const),
])

const ENGLISH: ReadonlyArray<Language> = ["en"]
const SPANISH: ReadonlyArray<Language> = ["es"]

/** The language that has the most words of its own in the sentence; both if neither has more. */
export const languagesOf = (sentence: ReadonlyArray<Word>): ReadonlyArray<Language> => {
  let balance = 0
  for (const { word } of sentence) balance += weights.get(word) ?? 0
  return balance === 0 ? languages : balance > 0 ? ENGLISH : SPANISH
}
