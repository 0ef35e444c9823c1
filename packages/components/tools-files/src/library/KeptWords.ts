/** Words of PDFs and office documents from earlier searches: reading them costs more than all else. */
import type { KeptFiles } from "../folder/KeptFiles.ts"
import type { ThreadText } from "@planloom/documents/read"

/** The number is raised when the same document gives other words than before. */
const NAME = "document_words.1.jsonl"

/** Words beyond this are read anew by each process. */
const MAX_BYTES = 32 * 1024 * 1024

interface Kept {
  readonly stamp: string
  readonly text: ThreadText
}

export class KeptWords {
  private readonly files: KeptFiles | undefined
  private known: Map<string, Kept> | undefined
  private changed = false

  /** Remembers nothing between processes without `files`. */
  constructor(files: KeptFiles | undefined) {
    this.files = files
  }

  /** The words of a file whose size and time are still the same. */
  async of(path: string, stamp: string): Promise<ThreadText | undefined> {
    this.known ??= await this.load()
    const kept = this.known.get(path)
    return kept?.stamp === stamp ? kept.text : undefined
  }

  add(path: string, stamp: string, text: ThreadText): void {
    this.known?.set(path, { stamp, text })
    this.changed = true
  }

  /** Writes new words, and drops those of files that are gone. A folder that cannot be written to keeps none. */
  async save(exists: (path: string) => boolean): Promise<void> {
    if (!this.changed || this.known === undefined) return
    let bytes = 0
    let lines = ""
    for (const [path, { stamp, text }] of this.known) {
      if (!exists(path)) continue
      const { about, unread, words } = text
      const line = `${JSON.stringify([path, stamp, about, words, unread ?? null])}\n`
      if ((bytes += Buffer.byteLength(line)) > MAX_BYTES) break
      lines += line
    }
    this.changed = false
    await this.files?.keep(NAME, lines).catch(() => undefined)
  }

  private async load(): Promise<Map<string, Kept>> {
    const excerpt = await this.files?.kept(NAME, MAX_BYTES).catch(() => undefined)
    const lines = excerpt?.whole === true ? new TextDecoder().decode(excerpt.bytes).split("\n") : []
    return new Map(lines.flatMap(keptIn))
  }
}

/** A line that has been changed is ignored. */
const keptIn = (line: string): ReadonlyArray<[string, Kept]> => {
  try {
    const [path, stamp, about, words, unread] = JSON.parse(line) as ReadonlyArray<unknown>
    const texts = [path, stamp, about, words, unread ?? ""]
    if (!texts.every((one) => typeof one === "string")) return []
    const [name, made, said, read] = texts
    const why = typeof unread === "string" ? { unread } : {}
    return [[name!, { stamp: made!, text: { about: said!, words: read!, ...why } }]]
  } catch {
    return []
  }
}
