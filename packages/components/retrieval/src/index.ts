/** Embedded hybrid search index over tool metadata. */
export { embedded, embeddedIndex, type EmbeddedOptions } from "./embedded.ts"
export { ExactRanking, type VectorRanking } from "./VectorRanking.ts"
export type { ScoredDocument } from "./selectTop.ts"
export { EmbeddedIndex } from "./EmbeddedIndex.ts"
export { readConcepts, Thesaurus, type Concept } from "./text/Thesaurus.ts"
export { default } from "./plugin.ts"
