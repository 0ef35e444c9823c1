/** The folder's files as they can be searched: read once, and again only where a file has changed. */
import { lstat } from "node:fs/promises"
import { relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import { readerLimits, walk, type FoundFile, type ReaderLimits } from "@planloom/documents/read"
import type { BuiltIndex } from "@planloom/plugin/effect"
import { FilesFailed } from "../FilesFailed.ts"
import type { FileCall } from "../FileCall.ts"
import type { Folder } from "../folder/Folder.ts"
import type { KeptFiles } from "../folder/KeptFiles.ts"
import { captionsIn } from "./captionsIn.ts"
import { EntryReader, type Entry } from "./EntryReader.ts"
import { fileDocument, photoDocument } from "./indexDocuments.ts"

export interface LibraryLimits {
  readonly files: number
  /** Bytes read of each file. */
  readonly bytes: number
}

export interface LibraryOptions {
  /** Paths from the root that are left out. */
  readonly exclude?: ReadonlyArray<string>
  /** The folder in which the words of PDFs and office documents are kept. */
  readonly kept?: KeptFiles | undefined
  /** Of reading them. */
  readonly documents?: ReaderLimits
}

interface Indexes {
  readonly files: BuiltIndex
  readonly photos: BuiltIndex
}

/** Files read at once. */
const AT_ONCE = 32

/** Files that enter the index together: each addition has a cost, and an abort throws away what is not added yet. */
const TOGETHER = 2048

/** A file with a lower score shares only pieces of words with the query. */
export const LEAST_SCORE = 0.1

export class Library {
  readonly folder: Folder
  readonly limits: LibraryLimits
  private readonly entries = new Map<string, Entry>()
  /** What an entry was made from: sizes and times of the file and its caption. */
  private readonly stamps = new Map<string, string>()
  private readonly excluded: ReadonlySet<string>
  private readonly reader: EntryReader
  private indexes: Promise<Indexes> | undefined
  private last: Promise<unknown> = Promise.resolve()
  /** Whether there were more files than `limits.files`. */
  left = false

  constructor(folder: Folder, limits: LibraryLimits, options: LibraryOptions = {}) {
    const { documents = readerLimits, exclude = [], kept } = options
    this.folder = folder
    this.limits = limits
    this.excluded = new Set(exclude)
    this.reader = new EntryReader({ root: folder.root, bytes: limits.bytes, documents, kept })
  }

  /** Looks at the disk and reads what is new. Returns how many files it read. */
  refresh(call: FileCall): Promise<number> {
    return this.inTurn(() => this.update(call))
  }

  all(): ReadonlyArray<Entry> {
    return [...this.entries.values()]
  }

  /** The nearest to a text, best first, after a `refresh`. Entries that share no word with it are left out. */
  async nearest(
    query: string,
    among: "files" | "photos",
    limit: number,
    call: FileCall,
  ): Promise<ReadonlyArray<Entry>> {
    const indexes = await this.indexes
    if (indexes === undefined) return []
    const hits = await call.run(indexes[among].search(query, { limit, least: LEAST_SCORE }))
    return hits.flatMap(({ id }) => this.entries.get(id) ?? [])
  }

  /** One file, read now; by its path from the root, which may not lead outside. */
  async document(name: string, signal: AbortSignal): Promise<Entry> {
    const path = await this.folder.resolve(name)
    const stats = await lstat(path)
    if (!stats.isFile()) throw new FilesFailed(`${name} is not a file`, "invalid_request")
    const own = relative(this.folder.root, path).replaceAll(sep, "/")
    if (this.excluded.has(own)) throw new FilesFailed(`${name} is left out`, "invalid_request")
    return this.inTurn(async () => {
      try {
        const file = { path: own, bytes: stats.size, modified: stats.mtimeMs }
        return await this.reader.read(file, undefined, signal)
      } finally {
        await this.reader.rest(() => true)
      }
    })
  }

  /** One after the other: they share the thread that reads documents. */
  private inTurn<A>(work: () => Promise<A>): Promise<A> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }

  private async update(call: FileCall): Promise<number> {
    const { signal } = call
    const found = await walk(this.folder.root, this.limits.files, signal)
    const indexes = await this.built(call)
    this.left = found.left
    const byPath = new Map(found.files.map((file) => [file.path, file]))
    const captions = captionsIn(byPath)
    const taken = new Set(captions.values())
    const wanted = found.files.filter(({ path }) => !taken.has(path) && !this.excluded.has(path))
    await this.forget(new Set(wanted.map(({ path }) => path)), indexes)
    const stampFor = (file: FoundFile) => stampOf(file, byPath.get(captions.get(file.path) ?? ""))
    const changed = wanted.filter((file) => this.stamps.get(file.path) !== stampFor(file))
    try {
      for (let at = 0; at < changed.length; at += TOGETHER) {
        const read = await this.read(changed.slice(at, at + TOGETHER), captions, signal)
        await this.add(read, stampFor, indexes)
      }
    } finally {
      await this.reader.rest((path) => byPath.has(path))
    }
    return changed.length
  }

  /** The indexes, built by the first call; after a failure, by the next. */
  private built({ index, run }: FileCall): Promise<Indexes> {
    this.indexes ??= Promise.all([run(index([])), run(index([]))]).then(([files, photos]) => ({
      files,
      photos,
    }))
    return this.indexes.catch((error: unknown) => {
      this.indexes = undefined
      throw error
    })
  }

  private async read(
    files: ReadonlyArray<FoundFile>,
    captions: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<ReadonlyArray<Entry>> {
    const read: Array<Entry> = []
    for (let at = 0; at < files.length; at += AT_ONCE) {
      signal.throwIfAborted()
      const some = files.slice(at, at + AT_ONCE)
      const entries = some.map((file) => this.reader.read(file, captions.get(file.path), signal))
      read.push(...(await Promise.all(entries)))
    }
    return read
  }

  private async add(
    read: ReadonlyArray<Entry>,
    stampFor: (file: FoundFile) => string,
    { files, photos }: Indexes,
  ): Promise<void> {
    await Effect.runPromise(files.add(read.map(fileDocument)))
    const images = read.filter(({ type }) => type === "image")
    await Effect.runPromise(photos.add(images.map(photoDocument)))
    for (const entry of read) {
      this.entries.set(entry.path, entry)
      if (entry.passing !== true) this.stamps.set(entry.path, stampFor(entry))
    }
  }

  private async forget(kept: ReadonlySet<string>, { files, photos }: Indexes): Promise<void> {
    const gone = [...this.entries.keys()].filter((path) => !kept.has(path))
    await Effect.runPromise(Effect.andThen(files.remove(gone), photos.remove(gone)))
    for (const path of gone) {
      this.entries.delete(path)
      this.stamps.delete(path)
    }
  }
}

const stampOf = (file: FoundFile, caption: FoundFile | undefined): string =>
  [file, caption].map((one) => (one === undefined ? "" : `${one.bytes}:${one.modified}`)).join("|")
