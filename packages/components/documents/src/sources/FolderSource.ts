/** The documents of a folder: one item for each file. */
import { chunksOf, type Chunk } from "../chunk/chunksOf.ts"
import { findDocuments, type DocumentFolder } from "../index/DocumentFolder.ts"
import { readDocument, type ReadDocument } from "../index/readDocument.ts"
import type { ReaderThread } from "../read/ReaderThread.ts"
import { frontMatter } from "./frontMatter.ts"
import { isOlder, type Listing, type Passage, type ReadItem, type Source } from "./Source.ts"

export class FolderSource implements Source {
  private readonly folder: DocumentFolder
  private readonly facets: ReadonlyArray<string>
  private readonly reader: ReaderThread

  constructor(folder: DocumentFolder, facets: ReadonlyArray<string>, reader: ReaderThread) {
    this.folder = folder
    this.facets = facets
    this.reader = reader
  }

  async list(signal: AbortSignal): Promise<Listing> {
    const { files, left, root, unreadable } = await findDocuments(this.folder, signal)
    return {
      items: files.map(({ bytes, modified, path }) => ({
        path,
        modified,
        stamp: `${bytes} ${modified}`,
        isSettled: (readAt) => isOlder(modified, readAt),
        read: async (reading) =>
          readItem(path, await readDocument(root, path, this.reader, reading), this.facets),
      })),
      unreadable: unreadable.map((path) => ({ path, reason: "the folder cannot be read" })),
      left,
    }
  }
}

/** A text as passages, with the facets that its front matter has. */
export const readItem = (
  path: string,
  { form, hasLines, text, ...read }: ReadDocument,
  facets: ReadonlyArray<string>,
): ReadItem => {
  const passages = chunksOf(path, text, form)
    .filter(hasWords)
    .map(({ lines, ...passage }): Passage => (hasLines === false ? passage : { ...passage, lines }))
  if (facets.length === 0 || form !== "markdown") return { ...read, chunks: passages }
  const { problem, values } = frontMatter(text, facets)
  const cut = [read.cut, problem].filter((one) => one !== undefined).join("; ")
  return {
    ...read,
    ...(cut !== "" && { cut }),
    chunks:
      Object.keys(values).length === 0
        ? passages
        : passages.map((passage) => ({ ...passage, facets: values })),
  }
}

const hasWords = ({ isBare, text }: Chunk): boolean => !isBare && /[\p{L}\p{N}]/u.test(text)
