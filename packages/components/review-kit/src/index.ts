/** What reviewers of texts share. */
export * from "./findingOf.ts"
export * from "./numbers.ts"
export { phraseSchema, type FoundPhrase } from "./Phrase.ts"
export * from "./phraseFinder.ts"
export { phraseGroups } from "./phraseGroups.ts"
export * from "./runStart.ts"
export { wordsOf, type Word } from "./words.ts"
