/** Documents that can be searched: passages by structure, and the index of a folder. */
export type { Form } from "./chunk/Block.ts"
export { chunksOf, type Chunk } from "./chunk/chunksOf.ts"
export type { DocumentFolder } from "./index/DocumentFolder.ts"
export { DocumentIndex, type IndexStatus } from "./index/DocumentIndex.ts"
export { DocumentsFailed } from "./index/DocumentsFailed.ts"
export { isFound, type FoundChunk, type Hit, type SearchResult } from "./index/searchWords.ts"
export type { FileProblem, SyncOptions, SyncReport } from "./index/syncFolder.ts"
