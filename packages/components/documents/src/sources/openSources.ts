/** The sources of a library, and their readers, which are closed after a sync. */
import type { DocumentFolder } from "../index/DocumentFolder.ts"
import { ReaderThread, readerLimits } from "../read/ReaderThread.ts"
import { FolderSource } from "./FolderSource.ts"
import type { RowFile } from "./RowFile.ts"
import { RowSource } from "./RowSource.ts"
import type { Source } from "./Source.ts"
import { UrlSource, type UrlList } from "./UrlSource.ts"

/** Sources of a library. */
export interface LibrarySources {
  readonly folder?: DocumentFolder
  readonly rows?: ReadonlyArray<RowFile>
  readonly pages?: UrlList
  /** Fields of front matters, and columns of rows, that narrow a search. */
  readonly facets?: ReadonlyArray<string>
  /** The facet that names the user whom a passage is about. */
  readonly user?: string
}

export interface OpenSources {
  readonly sources: ReadonlyArray<Source>
  readonly close: () => Promise<void>
}

/** Pages of a PDF that are read. */
const MAX_PAGES = 5000

export const openSources = ({
  facets: declared = [],
  folder,
  pages,
  rows = [],
  user,
}: LibrarySources): OpenSources => {
  const facets = user === undefined ? declared : [...new Set([...declared, user])]
  const reader = new ReaderThread({ ...readerLimits, search: Infinity, pages: MAX_PAGES })
  const urls = pages === undefined ? undefined : new UrlSource(pages, facets, reader)
  return {
    sources: [
      ...(folder === undefined ? [] : [new FolderSource(folder, facets, reader)]),
      ...rows.map((file) => new RowSource(file, facets)),
      ...(urls === undefined ? [] : [urls]),
    ],
    close: async () => {
      await urls?.close()
      await reader.close()
    },
  }
}
