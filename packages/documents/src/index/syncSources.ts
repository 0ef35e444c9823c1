/** Brings an index to the state of its sources: what is new or has changed is read, and what is gone is removed. */
import { hash } from "node:crypto"
import type { Listing, ReadItem, Source, SourceItem } from "../sources/Source.ts"
import type { DocumentFile, Row } from "./DocumentFile.ts"
import { DocumentsFailed } from "./DocumentsFailed.ts"
import { problemsOf, recordSync, type Problems } from "./lastSync.ts"
import { removePassages, replacePassages } from "./passages.ts"

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

/** Each file is one transaction: whenever the process ends, the index has whole files and answers. */
export const syncSources = async (
  index: DocumentFile,
  sources: ReadonlyArray<Source>,
  { onFile, signal }: SyncOptions,
): Promise<SyncReport> => {
  const { items, left, unreadable } = await listAll(sources, signal)
  const known = new Map(
    index.all("SELECT path, stamp, settled, mark FROM files").map((row) => [row["path"], row]),
  )
  const paths = new Set(items.map(({ path }) => path))
  const removed = [...known.keys()].map(String).filter((path) => !paths.has(path))
  for (const path of removed) index.write(() => forget(index, path))
  const open = items.filter((item) => !isSame(item, known.get(item.path)))
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
  index.write(() => recordSync(index, { synced: Date.now(), folders: unreadable, left }))
  return { added, changed, removed, ...problemsOf(index) }
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

const isSame = ({ stamp }: SourceItem, row: Row | undefined): boolean =>
  stamp !== undefined && row?.["stamp"] === stamp && row["settled"] === 1

const forget = (index: DocumentFile, path: string): void => {
  removePassages(index, path)
  index.run("DELETE FROM files WHERE path = ?", path)
}

/** What is known of the item stays; of one that was never read there is nothing. */
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
  { modified, path, stamp }: SourceItem,
  { chunks, cut, isPaged, mark, problem }: ReadItem,
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
