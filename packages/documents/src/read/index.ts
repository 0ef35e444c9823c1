/** Readers of files: the words of texts, office documents and PDFs, and the files below a folder. */
export { documentText, isDocument } from "./documentText.ts"
export { PdfReader, pdfLimits, type PdfLimits, type PdfText } from "./PdfReader.ts"
export { readStart, type Excerpt } from "./readStart.ts"
export { textOf } from "./textOf.ts"
export { walk, type FoundFile } from "./walk.ts"
