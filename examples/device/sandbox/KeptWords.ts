/** Words of PDFs from earlier searches, in the assistant's own folder: to read a PDF costs more than all else. */
import type { PdfText } from "./PdfReader.ts"
import type { Sandbox } from "./Sandbox.ts"

/** Its first part is raised when the same PDF gives other words than before. */
const NAME = "pdf_words.1.jsonl"

/** Bytes of all that is kept; what comes after is read anew by each process. */
const LARGEST = 32 * 1024 * 1024

interface Kept {
  readonly stamp: string
  readonly text: PdfText
}

export class KeptWords {
  private readonly sandbox: Sandbox
  private known: Map<string, Kept> | undefined
  private changed = false

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
  }

  /** What was read of a file whose size and time are still the same. */
  async of(path: string, stamp: string): Promise<PdfText | undefined> {
    this.known ??= await this.load()
    const kept = this.known.get(path)
    return kept?.stamp === stamp ? kept.text : undefined
  }

  add(path: string, stamp: string, text: PdfText): void {
    this.known?.set(path, { stamp, text })
    this.changed = true
  }

  /** Writes what has come since, and drops what is there no more. A device that cannot be written to forgets. */
  async save(exists: (path: string) => boolean): Promise<void> {
    if (!this.changed || this.known === undefined) return
    let bytes = 0
    let lines = ""
    for (const [path, { stamp, text }] of this.known) {
      if (!exists(path)) continue
      const { about, unread, words } = text
      const line = `${JSON.stringify([path, stamp, about, words, unread ?? null])}\n`
      if ((bytes += Buffer.byteLength(line)) > LARGEST) break
      lines += line
    }
    this.changed = false
    await this.sandbox.keep(NAME, lines).catch(() => undefined)
  }

  private async load(): Promise<Map<string, Kept>> {
    const excerpt = await this.sandbox.kept(NAME, LARGEST).catch(() => undefined)
    const lines = excerpt?.whole === true ? new TextDecoder().decode(excerpt.bytes).split("\n") : []
    return new Map(lines.flatMap(keptIn))
  }
}

/** A line that is not as it was written counts as none. */
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
