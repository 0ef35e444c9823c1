/** Brings an index to the state of a folder: what is new or has changed is read, and what is gone is removed. */
import { hash } from "node:crypto"
import { chunksOf, type Chunk } from "../chunk/chunksOf.ts"
import { PdfReader, pdfLimits } from "../read/PdfReader.ts"
import type { FoundFile } from "../read/walk.ts"
import type { DocumentFile, Row } from "./DocumentFile.ts"
import { findDocuments, type DocumentFolder } from "./DocumentFolder.ts"
import { problemsOf, recordSync, type Problems } from "./lastSync.ts"
import { addPassage, removePassages } from "./passages.ts"
import { readDocument, type ReadDocument } from "./readDocument.ts"

export interface SyncReport extends Problems {
  readonly added: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

export interface SyncOptions {
  readonly signal: AbortSignal
  /** Called before each file that is read. */
  readonly onFile?: (path: string, at: number, all: number) => void
}

/** A file that changed less than this before its reading may change again without another time: it is compared once more. */
const RACY_MS = 2000

/** Each file is one transaction: whenever the process ends, the index has whole files and answers. */
export const syncFolder = async (
  index: DocumentFile,
  folder: DocumentFolder,
  { onFile, signal }: SyncOptions,
): Promise<SyncReport> => {
  const found = await findDocuments(folder, signal)
  const known = new Map(
    index.all("SELECT path, bytes, modified, settled FROM files").map((row) => [row["path"], row]),
  )
  const paths = new Set(found.files.map(({ path }) => path))
  const removed = [...known.keys()].map(String).filter((path) => !paths.has(path))
  for (const path of removed) index.write(() => forget(index, path))
  const open = found.files.filter((file) => !isSame(file, known.get(file.path)))
  const pdfs = new PdfReader({ ...pdfLimits, search: Infinity, pages: 5000 })
  const [added, changed]: [Array<string>, Array<string>] = [[], []]
  try {
    for (const [at, file] of open.entries()) {
      signal.throwIfAborted()
      onFile?.(file.path, at, open.length)
      const startedAt = Date.now()
      const read = await readDocument(found.root, file.path, pdfs, signal)
      const settled = read.passing !== true && file.modified < startedAt - RACY_MS
      const isNew = index.write(() => replace(index, file, read, settled))
      if (isNew) (known.has(file.path) ? changed : added).push(file.path)
    }
  } finally {
    await pdfs.close()
  }
  const folders = found.unreadable.map((path) => ({ path, reason: "the folder cannot be read" }))
  index.write(() => recordSync(index, { synced: Date.now(), folders, left: found.left }))
  return { added, changed, removed, ...problemsOf(index) }
}

const isSame = ({ bytes, modified }: FoundFile, row: Row | undefined): boolean =>
  row?.["bytes"] === bytes && row["modified"] === modified && row["settled"] === 1

const forget = (index: DocumentFile, path: string): void => {
  removePassages(index, path)
  index.run("DELETE FROM files WHERE path = ?", path)
}

/** Whether the file has other content than the index. */
const replace = (
  index: DocumentFile,
  { bytes, modified, path }: FoundFile,
  read: ReadDocument,
  settled: boolean,
): boolean => {
  const { cut = null, form, isPaged, problem = null, text } = read
  const content = hash("sha256", JSON.stringify([form, isPaged, problem, cut, text]))
  const before = index.get("SELECT hash FROM files WHERE path = ?", path)
  if (before?.["hash"] === content) {
    index.run(
      "UPDATE files SET bytes = ?, modified = ?, settled = ? WHERE path = ?",
      bytes,
      modified,
      Number(settled),
      path,
    )
    return false
  }
  forget(index, path)
  index.run(
    "INSERT INTO files (path, bytes, modified, settled, hash, problem, cut) VALUES (?, ?, ?, ?, ?, ?, ?)",
    path,
    bytes,
    modified,
    Number(settled),
    content,
    problem,
    cut,
  )
  const chunks = chunksOf(path, text, form).filter(hasWords)
  for (const [ordinal, chunk] of chunks.entries()) addPassage(index, path, ordinal, chunk, isPaged)
  return true
}

const hasWords = ({ isBare, text }: Chunk): boolean => !isBare && /[\p{L}\p{N}]/u.test(text)
