/** Reads one file of the folder into an entry: its words, and the data of a photo. */
import { join } from "node:path"
import {
  isDocument,
  ReaderThread,
  readStart,
  textOf,
  type FoundFile,
  type ReaderLimits,
} from "@planloom/documents/read"
import type { KeptFiles } from "../folder/KeptFiles.ts"
import { typeOf, type FileType } from "./FileType.ts"
import { KeptWords } from "./KeptWords.ts"
import { readPhoto, type Photo } from "./Photo.ts"

/** One file, or one photo with its caption. */
export interface Entry extends FoundFile {
  readonly type: FileType | "other"
  /** The start of a text file, of the `.txt` beside a file that is not text, or of a document's words: Markdown of an office document. */
  readonly text: string
  readonly photo?: Photo
  /** The reason why the words of a PDF or an office document are not in `text`: "it is encrypted". */
  readonly unread?: string
  /** Whether the next search reads it again, though it is the same. */
  readonly passing?: boolean
}

export interface EntryReaderOptions {
  readonly root: string
  /** Read of each file. */
  readonly bytes: number
  /** Of PDFs and office documents. */
  readonly documents: ReaderLimits
  /** The folder in which their words are kept. */
  readonly kept: KeptFiles | undefined
}

export class EntryReader {
  private readonly root: string
  private readonly bytes: number
  private readonly documents: ReaderThread
  private readonly kept: KeptWords

  constructor({ bytes, documents, kept, root }: EntryReaderOptions) {
    this.root = root
    this.bytes = bytes
    this.documents = new ReaderThread(documents)
    this.kept = new KeptWords(kept)
  }

  /** `caption` is the path of the text file that describes it. */
  async read(file: FoundFile, caption: string | undefined, signal: AbortSignal): Promise<Entry> {
    const type = typeOf(file.path)
    const base = { ...file, type, text: "" }
    if ((type === "pdf" || isDocument(file.path)) && caption === undefined)
      return { ...base, ...(await this.document(file, signal)) }
    const path = join(this.root, caption ?? file.path)
    // A file that cannot be read is still found by its name: it must not keep all others from being found.
    const text = await this.start(path).catch(() => "")
    return {
      ...base,
      text,
      ...(type === "image"
        ? { photo: await readPhoto(join(this.root, file.path)).catch(() => ({})) }
        : {}),
    }
  }

  /** Ends the thread that reads documents, and keeps the words of those that exist. */
  async rest(exists: (path: string) => boolean): Promise<void> {
    await this.documents.close()
    await this.kept.save(exists)
  }

  private async start(path: string): Promise<string> {
    const excerpt = await readStart(path, this.bytes)
    return (excerpt === undefined ? undefined : textOf(excerpt.bytes)) ?? ""
  }

  private async document(file: FoundFile, signal: AbortSignal): Promise<Partial<Entry>> {
    const stamp = `${file.bytes}:${file.modified}|${this.bytes}`
    const kept = await this.kept.of(file.path, stamp)
    const path = join(this.root, file.path)
    const found = kept ?? (await this.documents.read(path, this.bytes, signal))
    const { about, cut: _, words, ...why } = found
    if (kept === undefined && found.passing !== true) this.kept.add(file.path, stamp, found)
    // A heading of Markdown begins a line, also that of a page.
    const text = isDocument(file.path)
      ? `${about}\n\n${words.replaceAll("\f", "\n")}`
      : `${about} ${words.replaceAll("\f", " ")}`
    return { ...why, text: text.trim().slice(0, this.bytes) }
  }
}
