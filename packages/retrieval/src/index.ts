/** Embedded hybrid search index over tool metadata. */
export { embedded } from "./embedded.ts"
export { EmbeddedIndex } from "./EmbeddedIndex.ts"
export { default } from "./plugin.ts"
