/** The search index `faiss` and its plugin. */
export { faissIndex, type FaissOptions } from "./faiss.ts"
export { default } from "./plugin.ts"
