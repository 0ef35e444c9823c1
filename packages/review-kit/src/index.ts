/** What reviewers of texts share. */
export * from "./findingOf.ts"
export * from "./numbers.ts"
export * from "./phraseFinder.ts"
export * from "./runStart.ts"
export { wordsOf, type Word } from "./words.ts"
