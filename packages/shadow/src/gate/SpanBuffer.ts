/** Text that waits for its reviews: leaves in order, with what findings put in the place of its parts. */
import { mergeMarks, type Mark } from "./spans.ts"

/** Positions count from the start of the reply. */
export class SpanBuffer {
  private text = ""
  /** Position of the first character of `text`. */
  private base = 0
  private released = 0

  get end(): number {
    return this.base + this.text.length
  }

  get start(): number {
    return this.base
  }

  /** Position up to which text has left. */
  get left(): number {
    return this.released
  }

  append(text: string): void {
    this.text += text
  }

  /** What a reviewer reads: the text that is held, and what came before it. */
  get content(): string {
    return this.text
  }

  /** The text up to a position with its marks; the text of a mark that ends beyond it stays. */
  release(to: number, marks: ReadonlyArray<Mark>): string {
    const pending = mergeMarks(marks.filter((mark) => this.isAhead(mark)))
    const across = pending.find(({ end, start }) => start < to && end > to)
    const until = across === undefined ? to : Math.max(across.start, this.released)
    if (until <= this.released) return ""
    let out = ""
    let at = this.released
    for (const { end, start, text } of pending) {
      if (end > until) break
      out += this.slice(at, Math.max(start, at)) + text
      at = end
    }
    out += this.slice(at, until)
    this.released = until
    return out
  }

  /** Forgets text that has left, but for so many characters. */
  forget(keep: number): void {
    const from = Math.max(this.base, this.released - keep)
    this.text = this.text.slice(from - this.base)
    this.base = from
  }

  /** An insertion at the border of what has left was made with it. */
  private isAhead({ end, start }: Mark): boolean {
    return end > this.released || (start === 0 && this.released === 0)
  }

  private slice(from: number, to: number): string {
    return to <= from ? "" : this.text.slice(from - this.base, to - this.base)
  }
}
