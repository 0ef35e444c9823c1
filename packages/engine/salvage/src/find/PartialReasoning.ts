/** Collects the reasoning of a streamed text incrementally. */
import type { Scanner } from "./Scanner.ts"

export class PartialReasoning {
  private readonly scanner: Scanner
  /** Number of finished spans, and their text. */
  private ended = 0
  private endedWords = ""
  /** The unfinished span: its start, its trimmed text, and the end of that text. */
  private from = -1
  private words = ""
  private upTo = 0

  constructor(scanner: Scanner) {
    this.scanner = scanner
  }

  /** Equal to `reasoningOf` for the text so far. */
  get all(): string {
    const { reasoning, source, thinking } = this.scanner
    for (; this.ended < reasoning.length; this.ended++) {
      const { start, end } = reasoning[this.ended]!
      this.endedWords = joined(this.endedWords, source.slice(start, end).trim())
    }
    return thinking < 0 ? this.endedWords : joined(this.endedWords, this.thought(thinking))
  }

  private thought(from: number): string {
    if (this.from !== from) {
      this.from = from
      this.upTo = from
      this.words = ""
    }
    const rest = this.scanner.source.slice(this.upTo)
    const more = (this.words === "" ? rest.trimStart() : rest).trimEnd()
    if (more === "") return this.words
    this.upTo += (this.words === "" ? rest.length - rest.trimStart().length : 0) + more.length
    this.words += more
    return this.words
  }
}

const joined = (first: string, second: string): string =>
  first === "" || second === "" ? first + second : `${first}\n\n${second}`
