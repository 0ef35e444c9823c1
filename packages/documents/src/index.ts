/** Documents that can be searched: passages by structure, the index of a folder, and the plugin. */
export type { Form } from "./chunk/Block.ts"
export { chunksOf, type Chunk } from "./chunk/chunksOf.ts"
export type { DocumentFolder } from "./index/DocumentFolder.ts"
export { DocumentIndex, type IndexStatus } from "./index/DocumentIndex.ts"
export { DocumentsFailed } from "./index/DocumentsFailed.ts"
export type { Filter, Scope } from "./index/Scope.ts"
export {
  isFound,
  type FoundChunk,
  type Hit,
  type SearchOptions,
  type SearchResult,
} from "./index/searchWords.ts"
export type { FileProblem } from "./index/lastSync.ts"
export type { SyncOptions, SyncReport } from "./index/syncSources.ts"
export { default } from "./plugin.ts"
export type { LibrarySources } from "./sources/openSources.ts"
export type { RowFile } from "./sources/RowFile.ts"
export type { EmbeddingReport, PassageEmbedder } from "./vectors/embedPassages.ts"
export type { RankWeights } from "./vectors/searchBoth.ts"
export type { Embedding } from "./vectors/Vectors.ts"
export { readSets, type DocumentSet } from "./sets/readSets.ts"
