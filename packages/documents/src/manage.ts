/** Libraries for hosts that show and sync them, such as the commands `planloom documents`. */
export { forgetInFolder, type ForgottenIn } from "./forgetInFolder.ts"
export type { IndexStatus } from "./index/DocumentIndex.ts"
export { DocumentsFailed } from "./index/DocumentsFailed.ts"
export type { FoundChunk } from "./index/searchWords.ts"
export type { SyncReport } from "./index/syncSources.ts"
export { Libraries } from "./Libraries.ts"
export { searchSets } from "./search/searchSets.ts"
export { readSets, type DocumentSet } from "./sets/readSets.ts"
