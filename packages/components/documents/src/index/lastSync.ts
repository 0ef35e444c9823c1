/** The state that an index keeps of its last syncs: their end, files that could not be read, and the failure of the last one. */
import type { DocumentFile } from "./DocumentFile.ts"

export interface FileProblem {
  readonly path: string
  readonly reason: string
}

export interface Problems {
  /** All files that cannot be read, and folders, also from before. */
  readonly unreadable: ReadonlyArray<FileProblem>
  /** All files that are read in part. */
  readonly cut: ReadonlyArray<FileProblem>
  /** Whether the folder has more files than an index takes. */
  readonly left: boolean
}

export interface LastSync {
  /** Epoch milliseconds of the last sync that ended; undefined before the first. */
  readonly synced?: number
  /** Folders that could not be read. */
  readonly folders: ReadonlyArray<FileProblem>
  /** Whether the folder had more files than an index takes. */
  readonly left: boolean
  /** Of a sync after that. */
  readonly failure?: { readonly at: number; readonly message: string }
}

const SYNC = "sync"
const FAILURE = "failure"

export const readLastSync = (index: DocumentFile): LastSync => {
  const of = (name: string) => index.get("SELECT value FROM facts WHERE name = ?", name)?.["value"]
  const [sync, failure] = [of(SYNC), of(FAILURE)]
  return {
    folders: [],
    left: false,
    ...(sync === undefined ? {} : (JSON.parse(String(sync)) as object)),
    ...(failure === undefined
      ? {}
      : { failure: JSON.parse(String(failure)) as LastSync["failure"] & {} }),
  }
}

/** Milliseconds within which a sync that finds the same is not written: searches would wait for writers. */
const SAME_MS = 1000

export const recordSync = (
  index: DocumentFile,
  sync: Pick<LastSync, "folders" | "left"> & { readonly synced: number },
): void => {
  const before = readLastSync(index)
  const isSame =
    before.failure === undefined &&
    before.left === sync.left &&
    JSON.stringify(before.folders) === JSON.stringify(sync.folders)
  if (isSame && sync.synced - (before.synced ?? 0) < SAME_MS) return
  index.write(() => {
    put(index, SYNC, sync)
    index.run("DELETE FROM facts WHERE name = ?", FAILURE)
  })
}

export const recordFailure = (index: DocumentFile, message: string): void =>
  put(index, FAILURE, { at: Date.now(), message })

const put = (index: DocumentFile, name: string, value: object): void => {
  index.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", name, JSON.stringify(value))
}

/** Files that are not in the index, or only in part, with the reasons. */
export const problemsOf = (index: DocumentFile): Problems => {
  const withReason = (column: "problem" | "cut") =>
    index
      .all(`SELECT path, ${column} AS reason FROM files WHERE ${column} IS NOT NULL ORDER BY path`)
      .map(({ path, reason }) => ({ path: String(path), reason: String(reason) }))
  const { folders, left } = readLastSync(index)
  return { unreadable: [...withReason("problem"), ...folders], cut: withReason("cut"), left }
}
