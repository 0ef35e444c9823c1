/**
 * Growing text with lookahead. The part still in use is one flat string, the window, which slides along as text arrives, so
 * that a chunk costs the same at the end of a long text as at its start. Offsets always refer to the whole text.
 */
import { isQuote, isSpace, isWord } from "./characters.ts"
import type { Limits } from "../Task.ts"
import { NameCache } from "./NameCache.ts"
import type { ValidContainers } from "./valid/ValidContainers.ts"

/** Thrown if a decision needs text that has not arrived; the decision is repeated once it has. */
export class NeedMoreText extends Error {
  override readonly name = "NeedMoreText"
}
const more = new NeedMoreText("more text is needed")

/** Maximum lookahead past a token. Keeps decisions cheap and independent of chunks. */
const LOOKAHEAD_UNITS = 1024

/** Text kept in the window behind the read position: looking further back is rare and slower. */
const LOOKBEHIND_UNITS = 1024

/** An offset beyond the lookahead; reads as the end of the text. */
const FAR = Number.MAX_SAFE_INTEGER

/** Longest name that lookahead recognizes. */
const MAX_NAME_UNITS = 256

export class Source {
  /** The last part of the text so far; the whole text if `final`. */
  window = ""
  /** Offset of the window in the text. */
  start = 0
  /** The text is complete. */
  final = false
  /** Finds containers that `JSON.parse` can read; only for a complete text. */
  valid: ValidContainers | undefined = undefined
  /** The text has `\n` escapes between tokens, which are line ends there. */
  escapedBlanks = false
  /** The value began with `\{` or `\[`. */
  escapedBrackets = false
  readonly limits: Limits
  /** Names of members, interned. */
  readonly names = new NameCache()
  /** Number of repairs in all values of the text. */
  repaired = 0
  private sought = { needle: "", from: -1, upTo: 0 }
  /** Text before the window, in pieces, with the start of each. */
  private older: Array<string> = []
  private olderStarts: Array<number> = []

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Creates a source of a complete text. */
  static whole(text: string, limits: Limits): Source {
    const source = new Source(limits)
    source.window = text
    source.final = true
    return source
  }

  /** Length of the text so far. */
  get length(): number {
    return this.start + this.window.length
  }

  /** Appends text. `read`: offset of the first unread character. */
  append(chunk: string, read: number): void {
    const passed = read - LOOKBEHIND_UNITS - this.start
    if (passed >= LOOKBEHIND_UNITS) {
      this.older.push(this.window.slice(0, passed))
      this.olderStarts.push(this.start)
      this.window = this.window.slice(passed)
      this.start += passed
    }
    this.window += chunk
  }

  /** Ensures that the window includes an offset, by restoring the older text if necessary. */
  reach(at: number): void {
    if (at >= this.start) return
    this.window = this.slice(0)
    this.start = 0
    this.older = []
    this.olderStarts = []
  }

  slice(from: number, to = this.length): string {
    const { start, window } = this
    if (from >= start) return window.slice(from - start, Math.max(0, to - start))
    if (to <= from) return ""
    let slot = this.olderAt(from)
    let text = this.older[slot]!.slice(from - this.olderStarts[slot]!)
    while (++slot < this.older.length && this.olderStarts[slot]! < to) text += this.older[slot]!
    return to > start ? text + window.slice(0, to - start) : text.slice(0, to - from)
  }

  /** The unit at an offset, or `""` if the text does not reach it (yet). */
  at(offset: number): string {
    const index = offset - this.start
    if (index >= 0 || offset < 0) return this.window[index] ?? ""
    const slot = this.olderAt(offset)
    return this.older[slot]![offset - this.olderStarts[slot]!]!
  }

  /** Index of the older piece that contains an offset. */
  private olderAt(offset: number): number {
    const { olderStarts } = this
    let low = 0
    let high = olderStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (olderStarts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Runs a sticky or global pattern from an offset on; the match's `index` refers to the window. */
  exec(pattern: RegExp, from: number): RegExpExecArray | null {
    this.reach(from)
    pattern.lastIndex = from - this.start
    return pattern.exec(this.window)
  }

  indexOf(needle: string, from: number): number {
    this.reach(from)
    const index = this.window.indexOf(needle, from - this.start)
    return index < 0 ? -1 : index + this.start
  }

  /** The unit at an offset, `""` after the end. */
  char(at: number): string {
    const index = at - this.start
    if (index < this.window.length) return index >= 0 ? this.window[index]! : this.at(at)
    if (this.final || at === FAR) return ""
    throw more
  }

  has(word: string, at: number): boolean {
    this.reach(at)
    const index = at - this.start
    if (this.window.startsWith(word, index)) return true
    if (this.final || index + word.length <= this.window.length) return false
    if (word.startsWith(this.window.slice(index))) throw more
    return false
  }

  /** The first `needle` from an offset on, or -1. Does not search the same text twice as it grows. */
  find(needle: string, from: number): number {
    const { sought } = this
    const known = sought.from === from && sought.needle === needle
    const at = this.indexOf(needle, known ? sought.upTo : from)
    if (at >= 0 || this.final) return at
    this.sought = { needle, from, upTo: Math.max(from, this.length - needle.length + 1) }
    throw more
  }

  /** Offset where the search of `find` resumes. */
  soughtUpTo(from: number): number {
    return this.sought.from === from ? this.sought.upTo : from
  }

  /** The first offset from `at` on without a blank or comment; `FAR` beyond the lookahead. */
  skip(at: number): number {
    const limit = at + LOOKAHEAD_UNITS
    for (let i = at; i < limit;) {
      const char = this.char(i)
      if (char === "") return i
      if (isSpace(char)) i++
      else if (char === "\\" && this.escapedBlank(i) > 0) i += this.escapedBlank(i)
      else {
        const end = this.commentEnd(i, limit)
        if (end < 0) return i
        i = end
      }
    }
    return FAR
  }

  /** Length of an escaped blank (`\n`) or of a backslash before a bracket, in texts that escape those; else 0. */
  escapedBlank(at: number): number {
    if (!this.escapedBlanks && !this.escapedBrackets) return 0
    const next = this.char(at + 1)
    if (this.escapedBlanks && (next === "n" || next === "r" || next === "t")) return 2
    return this.escapedBrackets && next !== "" && "{}[]".includes(next) ? 1 : 0
  }

  /** End of the comment at an offset, or -1. */
  commentEnd(at: number, limit: number): number {
    const char = this.char(at)
    if (char === "/") {
      const next = this.char(at + 1)
      if (next === "*") return this.endOf("*/", at + 2, limit)
      if (next === "/") return this.lineEnd(at + 2, limit)
    }
    if (char === "#") return this.lineEnd(at + 1, limit)
    if (char === "<" && this.has("<!--", at)) return this.endOf("-->", at + 4, limit)
    return -1
  }

  private endOf(mark: string, from: number, limit: number): number {
    const at = this.slice(from, limit).indexOf(mark)
    if (at >= 0) return from + at + mark.length
    if (!this.final && this.length < limit) throw more
    return Math.min(limit, this.length)
  }

  private lineEnd(from: number, limit: number): number {
    const at = this.slice(from, limit).search(/[\n\r]/)
    if (at >= 0) return from + at
    if (!this.final && this.length < limit) throw more
    return Math.min(limit, this.length)
  }

  /** The last offset before `at` without a blank or block comment, or -1; `apart`: a line end or a comment is in between. */
  before(at: number): { readonly at: number; readonly apart: boolean } {
    let apart = false
    let i = at - 1
    while (i >= 0 && at - i < LOOKAHEAD_UNITS) {
      const char = this.at(i)
      if (char === "/" && this.at(i - 1) === "*") {
        const open = this.slice(Math.max(0, i - MAX_NAME_UNITS), i).lastIndexOf("/*")
        if (open < 0) break
        i = Math.max(0, i - MAX_NAME_UNITS) + open - 1
        apart = true
      } else if (isSpace(char)) {
        apart ||= char === "\n"
        i--
      } else break
    }
    return { at: i, apart }
  }

  /** Whether a quoted or bare name with its colon starts at `at`. */
  isName(at: number): boolean {
    const char = this.char(at)
    let i = at
    if (char === "\\") {
      const end = this.char(at + 1) === '"' ? this.escapedEnd(at + 2) : -1
      if (end < 0) return false
      i = end
    } else if (isQuote(char)) {
      const end = this.quotedEnd(at)
      if (end < 0) return false
      i = end
    } else {
      while (i - at < MAX_NAME_UNITS && (isWord(this.char(i)) || (i > at && this.char(i) === "-")))
        i++
      if (i === at) return false
      // The first quote of a name may be missing.
      if (isQuote(this.char(i))) i++
    }
    i = this.skip(i)
    const colon = this.char(i)
    return colon === ":" || colon === "：" || (colon === "=" && this.char(i + 1) !== "=")
  }

  /** End of text between escaped quotes; -1 if it is long or spans lines. */
  private escapedEnd(from: number): number {
    for (let i = from; i < from + MAX_NAME_UNITS; i++) {
      const char = this.char(i)
      if (char === "" || char === "\n") return -1
      if (char === "\\" && this.char(i + 1) === '"') return i + 2
    }
    return -1
  }

  /** Offset after the quoted text at `at`; -1 if it is long or spans lines. */
  quotedEnd(at: number): number {
    const open = this.char(at)
    for (let i = at + 1; i < at + MAX_NAME_UNITS; i++) {
      const char = this.char(i)
      if (char === "" || char === "\n") return -1
      if (char === "\\") i++
      else if (char === open || (open !== '"' && open !== "'" && isQuote(char))) return i + 1
    }
    return -1
  }
}
