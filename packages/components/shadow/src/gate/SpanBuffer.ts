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

  /** Position up to which text has left. */
  get left(): number {
    return this.released
  }

  append(text: string): void {
    this.text += text
  }

  /** The text from a position that was not forgotten. */
  from(position: number): string {
    return this.text.slice(position - this.base)
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

  /** All text that has not left, with its marks. */
  rest(marks: ReadonlyArray<Mark>): string {
    return this.release(this.end, marks)
  }

  /** Forgets the text before a position, of what has left. */
  forgetBefore(position: number): void {
    const from = Math.max(this.base, Math.min(position, this.released))
    this.text = this.text.slice(from - this.base)
    this.base = from
  }

  /** An insertion at the border of what has left was made with it. */
  isAhead({ end, start }: Mark): boolean {
    return end > this.released || (start === 0 && this.released === 0)
  }

  private slice(from: number, to: number): string {
    return to <= from ? "" : this.text.slice(from - this.base, to - this.base)
  }
}
