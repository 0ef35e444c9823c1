/** Brings an index to the state of its sources: what is new or has changed is read, and what is gone is removed. */
import { hash } from "node:crypto"
import type { Listing, ReadItem, Source, SourceItem } from "../sources/Source.ts"
import type { DocumentFile, Row } from "./DocumentFile.ts"
import { DocumentsFailed } from "./DocumentsFailed.ts"
import { problemsOf, readLastSync, recordSync, type Problems } from "./lastSync.ts"
import { removePassages, replacePassages } from "./passages.ts"
import { withSyncLock } from "./syncLock.ts"

export interface SyncReport extends Problems {
  readonly added: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  /** Another sync is at work: what has changed since is not in the index yet. */
  readonly isBehind: boolean
}

export interface SyncOptions {
  readonly signal: AbortSignal
  /** Called before each file that is read. */
  readonly onFile?: (path: string, at: number, all: number) => void
  /** Whether pages that are known are asked for changes; files are looked at in any case. */
  readonly asksPages?: boolean
  /** Milliseconds to wait for another sync of the index; without a limit unless given. */
  readonly patience?: number
}

/** The place of an index, and its sources. */
export interface SyncedIndex {
  readonly path: string
  readonly file: DocumentFile
  readonly sources: ReadonlyArray<Source>
}

/**
 * Each file is one transaction: whenever the process ends, the index has whole files and answers. Of several processes one
 * reads what has changed, and the others find it read.
 */
export const syncSources = async (
  { file, path, sources }: SyncedIndex,
  options: SyncOptions,
): Promise<SyncReport> => {
  // Before the listing: what another sync adds meanwhile is not missing in it.
  const known = knownFiles(file)
  const listing = await listAll(sources, options.signal)
  const { open, removed } = differences(listing.items, known, options)
  if (open.length === 0 && removed.length === 0) return reportOf(file, listing, {})
  // What was never synced has no answer to give meanwhile.
  const isNew = readLastSync(file).synced === undefined
  const waiting = isNew ? { signal: options.signal } : options
  const done = await withSyncLock(path, waiting, async () =>
    reportOf(
      file,
      listing,
      await apply(file, stillDiffering(file, open, removed, options), options),
    ),
  )
  return done ?? { added: [], changed: [], removed: [], ...problemsOf(file), isBehind: true }
}

interface Differences {
  readonly open: ReadonlyArray<SourceItem>
  readonly removed: ReadonlyArray<string>
  /** Rows of `files` by path. */
  readonly known: ReadonlyMap<string, Row>
}

/** Rows of `files` by path. */
type KnownFiles = Differences["known"]

const FILES = "SELECT path, stamp, settled, mark FROM files"

const byPath = (rows: ReadonlyArray<Row>): KnownFiles =>
  new Map(rows.map((row) => [String(row["path"]), row]))

const knownFiles = (index: DocumentFile): KnownFiles => byPath(index.all(FILES))

const differences = (
  items: ReadonlyArray<SourceItem>,
  known: KnownFiles,
  { asksPages = false }: SyncOptions,
): Differences => {
  const paths = new Set(items.map(({ path }) => path))
  return {
    open: items.filter((item) => !isSame(item, known.get(item.path), asksPages)),
    removed: [...known.keys()].filter((path) => !paths.has(path)),
    known,
  }
}

/** Those of the differences that are left: another sync may have read the same meanwhile. */
const stillDiffering = (
  index: DocumentFile,
  open: ReadonlyArray<SourceItem>,
  removed: ReadonlyArray<string>,
  options: SyncOptions,
): Differences => {
  const paths = [...open.map(({ path }) => path), ...removed]
  const sql = `${FILES} WHERE path IN (SELECT value FROM json_each(?))`
  return differences(open, byPath(index.all(sql, JSON.stringify(paths))), options)
}

const reportOf = (
  index: DocumentFile,
  { left, unreadable }: Listing,
  { added = [], changed = [], removed = [] }: Partial<SyncReport>,
): SyncReport => {
  recordSync(index, { synced: Date.now(), folders: unreadable, left })
  return { added, changed, removed, ...problemsOf(index), isBehind: false }
}

const apply = async (
  index: DocumentFile,
  { known, open, removed }: Differences,
  { onFile, signal }: SyncOptions,
): Promise<Pick<SyncReport, "added" | "changed" | "removed">> => {
  for (const path of removed) index.write(() => forget(index, path))
  const [added, changed]: [Array<string>, Array<string>] = [[], []]
  for (const [at, item] of open.entries()) {
    signal.throwIfAborted()
    onFile?.(item.path, at, open.length)
    const startedAt = Date.now()
    const mark = known.get(item.path)?.["mark"]
    const read = await item.read(signal, typeof mark === "string" ? mark : undefined)
    if ("isUnread" in read) {
      index.write(() => keep(index, item, read.problem ?? null))
      continue
    }
    const isSettled = read.passing !== true && item.isSettled(startedAt)
    const isNew = index.write(() => replace(index, item, read, isSettled))
    if (isNew) (known.has(item.path) ? changed : added).push(item.path)
  }
  return { added, changed, removed }
}

const listAll = async (sources: ReadonlyArray<Source>, signal: AbortSignal): Promise<Listing> => {
  const items = new Map<string, SourceItem>()
  const unreadable: Array<Listing["unreadable"][number]> = []
  let left = false
  for (const source of sources) {
    const listing = await source.list(signal)
    for (const item of listing.items) {
      if (items.has(item.path))
        throw new DocumentsFailed(`two sources of the library have the name ${item.path}`)
      items.set(item.path, item)
    }
    unreadable.push(...listing.unreadable)
    left ||= listing.left
  }
  return { items: [...items.values()], unreadable, left }
}

const isSame = ({ stamp }: SourceItem, row: Row | undefined, asksPages: boolean): boolean =>
  stamp === undefined
    ? row !== undefined && !asksPages
    : row?.["stamp"] === stamp && row["settled"] === 1

const forget = (index: DocumentFile, path: string): void => {
  removePassages(index, path)
  index.run("DELETE FROM files WHERE path = ?", path)
}

/** Keeps the state of an item as of its last reading, if it ever was read. */
const keep = (index: DocumentFile, { path }: SourceItem, problem: string | null): void => {
  index.run(
    `INSERT INTO files (path, settled, hash, problem) VALUES (?, 0, '', ?)
     ON CONFLICT (path) DO UPDATE SET problem = excluded.problem`,
    path,
    problem,
  )
}

/** Whether the item has other content than the index. */
const replace = (
  index: DocumentFile,
  { modified: known, path, stamp }: SourceItem,
  { chunks, cut, isPaged, mark, modified = known, problem }: ReadItem,
  isSettled: boolean,
): boolean => {
  const content = hash("sha256", JSON.stringify([isPaged, problem, cut, chunks]))
  const before = index.get("SELECT hash FROM files WHERE path = ?", path)?.["hash"]
  index.run(
    `INSERT OR REPLACE INTO files (path, modified, stamp, settled, mark, hash, problem, cut)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    path,
    modified ?? null,
    stamp ?? null,
    Number(isSettled),
    mark ?? null,
    content,
    problem ?? null,
    cut ?? null,
  )
  if (before === content) return false
  replacePassages(index, path, chunks, isPaged)
  return true
}
