/** A place that documents come from: what is there now, and how each of them is read. */
import type { Chunk } from "../chunk/chunksOf.ts"
import type { FileProblem } from "../index/lastSync.ts"

/** A passage, or a row; not every format has lines. */
export interface Passage extends Omit<Chunk, "lines"> {
  readonly lines?: Chunk["lines"]
}

/** A document, or a file of rows. */
export interface SourceItem {
  /** Its name in the library. */
  readonly path: string
  /** Epoch milliseconds, where the source knows it. */
  readonly modified?: number
  /** Differs when the content does; undefined if the item has to be asked. */
  readonly stamp?: string
  /** Whether the stamp is old enough that a change would give another one. */
  readonly isSettled: (readAt: number) => boolean
  /** `known` is the mark of its last reading. */
  readonly read: (signal: AbortSignal, known: string | undefined) => Promise<ReadItem | Unread>
}

export interface ReadItem {
  readonly chunks: ReadonlyArray<Passage>
  /** Whether the format has pages. */
  readonly isPaged: boolean
  /** The reason for a missing text. */
  readonly problem?: string
  /** Which part of it was left out. */
  readonly cut?: string
  /** Whether the next sync may read it, though it is the same. */
  readonly passing?: boolean
  /** The mark by which its source is asked for changes. */
  readonly mark?: string
  /** Epoch milliseconds, where only its content says it. */
  readonly modified?: number
}

/** The state of the item stays: it has not changed, or its source cannot be asked now. */
export interface Unread {
  readonly isUnread: true
  /** Undefined if it has not changed. */
  readonly problem?: string
}

export interface Listing {
  readonly items: ReadonlyArray<SourceItem>
  /** Folders that cannot be read. */
  readonly unreadable: ReadonlyArray<FileProblem>
  /** Whether there are more items. */
  readonly left: boolean
}

export interface Source {
  /** Fails with `DocumentsFailed` where the source is not there: it is then not an empty one. */
  readonly list: (signal: AbortSignal) => Promise<Listing>
}

/** A file that changed less than this before its reading may change again without another time: it is compared once more. */
const RACY_MS = 2000

export const isOlder = (modified: number, readAt: number): boolean => modified < readAt - RACY_MS
