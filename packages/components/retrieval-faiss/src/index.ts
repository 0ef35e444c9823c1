/** The search index `faiss` and its plugin. */
export { faissIndex, type FaissOptions } from "./faiss.ts"
export { FaissRanking } from "./FaissRanking.ts"
export { loadFaiss, type Faiss } from "./loadFaiss.ts"
export { default } from "./plugin.ts"
