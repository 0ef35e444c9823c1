/** Phrases and texts by language, as files of the plugin write them. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { phraseFinder, phraseSchema } from "@planloom/review-kit"

export interface PhrasesByLanguage {
  readonly [language: string]: ReadonlyArray<string>
}

const languages = { pattern: "^[a-z]{2,3}$" } as const

export const phrasesSchema = (description: string): JsonSchema => ({
  type: "object",
  propertyNames: languages,
  additionalProperties: { type: "array", items: phraseSchema, minItems: 1 },
  minProperties: 1,
  description,
})

export interface Texts {
  readonly [language: string]: string
}

export const textsSchema = (description: string): JsonSchema => ({
  type: "object",
  propertyNames: languages,
  additionalProperties: { type: "string", minLength: 1 },
  minProperties: 1,
  description,
})

/** Phrases of every language: a text may mix them. */
export const allPhrases = (phrases: PhrasesByLanguage | undefined): ReadonlyArray<string> =>
  Object.values(phrases ?? {}).flat()

/** Whether a text has one of the phrases, in any language. */
export const hasPhrase = (text: string, phrases: PhrasesByLanguage | undefined): boolean =>
  phraseFinder(allPhrases(phrases)).find(text).length > 0
