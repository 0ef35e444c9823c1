/** Planning over tables: the plugin, and its parts for a host that plans without one. */
export { default } from "./plugin.ts"
export { defaultVocabulary } from "./language/defaultVocabulary.ts"
export { extractRequirements } from "./language/extractRequirements.ts"
export type { Extraction } from "./language/extractRequirements.ts"
export { extendVocabulary, vocabularyOf, vocabularySchema } from "./language/Vocabulary.ts"
export type { Vocabulary, WrittenVocabulary } from "./language/Vocabulary.ts"
export { normaliseRequirements } from "./normaliseRequirements.ts"
