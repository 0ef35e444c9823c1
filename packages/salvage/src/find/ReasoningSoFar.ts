/** The reasoning in a text that is still coming: what was worked out before is not worked out again. */
import type { Scanner } from "./Scanner.ts"

export class ReasoningSoFar {
  private readonly scanner: Scanner
  /** How many spans have ended, and their words. */
  private ended = 0
  private endedWords = ""
  /** The span that has not ended: where it begins, its words without blanks at its ends, and up to where they go. */
  private from = -1
  private words = ""
  private upTo = 0

  constructor(scanner: Scanner) {
    this.scanner = scanner
  }

  /** The same as `reasoningOf` makes of all the text. */
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
