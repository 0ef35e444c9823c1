/** Readers of files: the words of texts, office documents and PDFs, and the files below a folder. */
export { isDocument } from "./isDocument.ts"
export { ReaderThread, readerLimits, type ReaderLimits, type ThreadText } from "./ReaderThread.ts"
export { readStart, type Excerpt } from "./readStart.ts"
export { textOf } from "./textOf.ts"
export { walk, type FoundFile } from "./walk.ts"
