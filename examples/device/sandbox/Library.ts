/** The device's files as they can be searched: read once, and again only where a file has changed. */
import { join } from "node:path"
import type { IndexDocument } from "@planloom/plugin"
import { EmbeddedIndex } from "@planloom/retrieval"
import { typeOf, type FileType } from "./FileType.ts"
import { documentText, isDocument } from "./documentText.ts"
import { KeptWords } from "./KeptWords.ts"
import { PdfReader, pdfLimits, type PdfLimits } from "./PdfReader.ts"
import { readPhoto, type Photo } from "./Photo.ts"
import { readStart, type Sandbox } from "./Sandbox.ts"
import { textOf } from "./textOf.ts"
import { walk, type FoundFile } from "./walk.ts"

/** One file, or one photo with its caption. */
export interface Entry extends FoundFile {
  readonly type: FileType | "other"
  /** The start of a text file, of the `.txt` beside a file that is not text, or of a document's words. */
  readonly text: string
  readonly photo?: Photo
  /** Why a PDF's words are not in `text`: "it is encrypted". */
  readonly unread?: string
  /** Whether it is to be read again by the next search, though it is the same. */
  readonly passing?: boolean
}

export interface LibraryLimits {
  readonly files: number
  /** Bytes read of each file. */
  readonly bytes: number
}

/** So many files are read at once. */
const AT_ONCE = 32

/** So many enter the index together: each entry into it costs, and so does what a stop throws away. */
const TOGETHER = 2048

/** What the device keeps for itself at the top of its folder. */
const own: ReadonlySet<string> = new Set(["contacts.json", "calendar.ics", "apps.json"])

export class Library {
  private readonly sandbox: Sandbox
  readonly limits: LibraryLimits
  private readonly entries = new Map<string, Entry>()
  /** What an entry was made from: sizes and times of the file and its caption. */
  private readonly stamps = new Map<string, string>()
  /** Without pieces of the words inside: what shares nothing but those is not shown anyway. */
  private readonly files = new EmbeddedIndex([], { pieces: ["name", "group", "keywords"] })
  private readonly photos = new EmbeddedIndex()
  private readonly pdfs: PdfReader
  private readonly kept: KeptWords
  private last: Promise<unknown> = Promise.resolve()
  /** Whether there were more files than `limits.files`. */
  left = false

  constructor(sandbox: Sandbox, limits: LibraryLimits, pdfs: PdfLimits = pdfLimits) {
    this.sandbox = sandbox
    this.limits = limits
    this.pdfs = new PdfReader(pdfs)
    this.kept = new KeptWords(sandbox)
  }

  /** Looks at the disk and reads what is new; one at a time. Gives how many files it read. */
  refresh(signal: AbortSignal): Promise<number> {
    const turn = this.last.then(() => this.update(signal))
    this.last = turn.catch(() => undefined)
    return turn
  }

  all(): ReadonlyArray<Entry> {
    return [...this.entries.values()]
  }

  /** The nearest to a text, best first. Entries that share no word with it are left out. */
  nearest(query: string, among: "files" | "photos", limit: number): ReadonlyArray<Entry> {
    // An entry that is near by pieces of words alone cannot have more than this (half a vote for its place).
    const byPieces = 0.5 / 11
    return this[among]
      .search(query, limit)
      .filter(({ score }) => score > byPieces)
      .flatMap(({ id }) => this.entries.get(id) ?? [])
  }

  private async update(signal: AbortSignal): Promise<number> {
    const found = await walk(this.sandbox.root, this.limits.files, signal)
    this.left = found.left
    const byPath = new Map(found.files.map((file) => [file.path, file]))
    const captions = captionsIn(byPath)
    const taken = new Set(captions.values())
    const wanted = found.files.filter(({ path }) => !taken.has(path) && !own.has(path))
    this.forget(new Set(wanted.map(({ path }) => path)))
    const changed = wanted.filter((file) => {
      const caption = byPath.get(captions.get(file.path) ?? "")
      return this.stamps.get(file.path) !== stampOf(file, caption)
    })
    try {
      for (let at = 0; at < changed.length; at += TOGETHER)
        this.take(
          await this.read(changed.slice(at, at + TOGETHER), captions, signal),
          byPath,
          captions,
        )
    } finally {
      await this.pdfs.close()
      await this.kept.save((path) => byPath.has(path))
    }
    return changed.length
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
      read.push(
        ...(await Promise.all(
          some.map((file) => this.entry(file, captions.get(file.path), signal)),
        )),
      )
    }
    return read
  }

  private take(
    read: ReadonlyArray<Entry>,
    byPath: ReadonlyMap<string, FoundFile>,
    captions: ReadonlyMap<string, string>,
  ): void {
    for (const entry of read) {
      const caption = byPath.get(captions.get(entry.path) ?? "")
      this.entries.set(entry.path, entry)
      if (entry.passing !== true) this.stamps.set(entry.path, stampOf(entry, caption))
    }
    this.files.add(read.map(fileDocument))
    this.photos.add(read.filter(({ type }) => type === "image").map(photoDocument))
  }

  private forget(kept: ReadonlySet<string>): void {
    const gone = [...this.entries.keys()].filter((path) => !kept.has(path))
    for (const path of gone) {
      this.entries.delete(path)
      this.stamps.delete(path)
    }
    this.files.remove(gone)
    this.photos.remove(gone)
  }

  private async start(path: string): Promise<string> {
    const excerpt = await readStart(path, this.limits.bytes)
    return (excerpt === undefined ? undefined : textOf(excerpt.bytes)) ?? ""
  }

  private async pdf(file: FoundFile, signal: AbortSignal): Promise<Partial<Entry>> {
    const stamp = `${stampOf(file, undefined)}${this.limits.bytes}`
    const kept = await this.kept.of(file.path, stamp)
    const path = join(this.sandbox.root, file.path)
    const found = kept ?? (await this.pdfs.read(path, this.limits.bytes, signal))
    const { about, words, ...why } = found
    if (kept === undefined && found.passing !== true) this.kept.add(file.path, stamp, found)
    return { ...why, text: `${about} ${words}`.trim().slice(0, this.limits.bytes) }
  }

  private async entry(
    file: FoundFile,
    caption: string | undefined,
    signal: AbortSignal,
  ): Promise<Entry> {
    const type = typeOf(file.path)
    const base = { ...file, type, text: "" }
    if (type === "pdf" && caption === undefined)
      return { ...base, ...(await this.pdf(file, signal)) }
    const path = join(this.sandbox.root, caption ?? file.path)
    // What cannot be read is still found by its name: one bad file must not keep all others from being found.
    const text = await (
      isDocument(path) ? documentText(path, this.limits.bytes) : this.start(path)
    ).catch(() => "")
    return {
      ...base,
      text,
      ...(type === "image"
        ? { photo: await readPhoto(join(this.sandbox.root, file.path)).catch(() => ({})) }
        : {}),
    }
  }
}

/** File → the `.txt` that speaks for it: `a.jpg.txt`, or `a.txt` beside `a.jpg`. */
const captionsIn = (files: ReadonlyMap<string, FoundFile>): ReadonlyMap<string, string> => {
  const captions = new Map<string, string>()
  for (const path of files.keys()) {
    if (!["image", "pdf", "audio", "video"].includes(typeOf(path))) continue
    const beside = [`${path}.txt`, path.replace(/\.[^./]+$/, ".txt")].find((one) => files.has(one))
    if (beside !== undefined) captions.set(path, beside)
  }
  return captions
}

const stampOf = (file: FoundFile, caption: FoundFile | undefined): string =>
  [file, caption].map((one) => (one === undefined ? "" : `${one.bytes}:${one.modified}`)).join("|")

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const fileDocument = ({ path, text, type }: Entry): IndexDocument => ({
  id: path,
  fields: {
    name: nameOf(path).replace(/\.[^.]+$/, ""),
    group: path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    summary: text,
    keywords: type,
  },
})

const months =
  "January February March April May June July August September October November December"
const seasons = ["winter", "spring", "summer", "autumn"]

/** `June 2025 summer`: photos are asked for by season too. */
const timeWords = (taken: string | undefined): string => {
  if (taken === undefined) return ""
  const month = Number(taken.slice(5, 7))
  return `${months.split(" ")[month - 1]} ${taken.slice(0, 4)} ${seasons[Math.floor((month % 12) / 3)]}`
}

const photoDocument = ({ path, photo, text }: Entry): IndexDocument => ({
  id: path,
  fields: {
    name: photo?.description ?? "",
    group: path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    summary: text,
    keywords: `${timeWords(photo?.taken)} ${photo?.camera ?? ""}`,
  },
})
