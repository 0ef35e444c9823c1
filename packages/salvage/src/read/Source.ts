/**
 * The text, which may still grow, and looking ahead in it. What may still be looked at is one flat string, the window, which slides
 * along as text comes: so that a piece costs no more at the end of a long text than at its start. Offsets are always those of the
 * whole text.
 */

import type { Sound } from "./Sound.ts"

/** Thrown when a decision needs text that has not come yet; the decision is taken again when it has. */
export class More extends Error {
  override readonly name = "More"
}
const more = new More("more text is needed")

/** How far past a token a decision may look, in UTF-16 units. It keeps decisions cheap and independent of chunks. */
const HORIZON = 1024

/** How much of what was read stays in the window, in UTF-16 units: looking further back is rare, and costs more. */
const BEHIND = 1024

/** Stands for a place beyond the horizon: it reads as the end. */
const FAR = Number.MAX_SAFE_INTEGER

/** Longest name that looking ahead recognises. */
const NAME = 256

const SPACE = /[\s\u180e\u200b-\u200d\u2060\ufeff]/u
const QUOTES = "\"'`“”„‟‘’‚‛´«»"

// Almost every character is ASCII: the sets are only asked about others.
export const isSpace = (char: string): boolean =>
  char === " " ||
  char === "\n" ||
  char === "\t" ||
  char === "\r" ||
  ((char < "!" || char > "~") && char !== "" && SPACE.test(char))

export const isQuote = (char: string): boolean =>
  char === '"' || char === "'" || char === "`" || (char > "~" && QUOTES.includes(char))

/** Commas of any script, and semicolons, which are written for them. */
export const isComma = (char: string): boolean =>
  char === "," || char === ";" || (char > "~" && "，、；،؛".includes(char))

const WORD = /[\p{L}\p{N}_$]/u
export const isWord = (char: string): boolean =>
  (char >= "a" && char <= "z") || (char >= "0" && WORD.test(char)) || char === "$"

export class Source {
  /** The end of the text, as far as it has come: all of it when no more comes. */
  window = ""
  /** Offset of the window in the text. */
  start = 0
  /** No more text comes. */
  final = false
  /** Knows which containers need not be read with care; of a text that has all come. */
  sound: Sound | undefined = undefined
  /** Between tokens stood `\n`: outside of strings, such an escape is a line end. */
  escapedBlanks = false
  /** The value began with `\{` or `\[`. */
  escapedBrackets = false
  private sought = { needle: "", from: -1, upTo: 0 }
  /** What stands before the window, in pieces, and where each begins. */
  private older: Array<string> = []
  private olderStarts: Array<number> = []

  /** A text that has all come. */
  static whole(text: string): Source {
    const source = new Source()
    source.window = text
    source.final = true
    return source
  }

  /** How much of the text has come. */
  get length(): number {
    return this.start + this.window.length
  }

  /** More of the text. `read`: the offset from which on it is still to be read. */
  append(chunk: string, read: number): void {
    const passed = read - BEHIND - this.start
    if (passed >= BEHIND) {
      this.older.push(this.window.slice(0, passed))
      this.olderStarts.push(this.start)
      this.window = this.window.slice(passed)
      this.start += passed
    }
    this.window += chunk
  }

  /** Sees to it that the window holds what stands at an offset: takes all older text back where it does not. */
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

  /** The unit at an offset, `""` where there is none, or none yet. */
  at(offset: number): string {
    const index = offset - this.start
    if (index >= 0 || offset < 0) return this.window[index] ?? ""
    const slot = this.olderAt(offset)
    return this.older[slot]![offset - this.olderStarts[slot]!]!
  }

  /** Which of the older pieces holds an offset. */
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

  /** What a pattern, a sticky or a global one, finds from an offset on; its `index` is one of the window. */
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

  /** The first `needle` from an offset on, -1 without one. Does not look at the same text twice as it grows. */
  find(needle: string, from: number): number {
    const { sought } = this
    const known = sought.from === from && sought.needle === needle
    const at = this.indexOf(needle, known ? sought.upTo : from)
    if (at >= 0 || this.final) return at
    this.sought = { needle, from, upTo: Math.max(from, this.length - needle.length + 1) }
    throw more
  }

  /** Where looking for what `find` was asked for goes on. */
  soughtUpTo(from: number): number {
    return this.sought.from === from ? this.sought.upTo : from
  }

  /** The first place from `at` on that holds neither blank nor comment; the end when it is beyond the horizon. */
  skip(at: number): number {
    const limit = at + HORIZON
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

  /** `\n`, or the backslash before a bracket, in texts that escape them: how long it is, 0 when it is none. */
  escapedBlank(at: number): number {
    if (!this.escapedBlanks && !this.escapedBrackets) return 0
    const next = this.char(at + 1)
    if (this.escapedBlanks && (next === "n" || next === "r" || next === "t")) return 2
    return this.escapedBrackets && next !== "" && "{}[]".includes(next) ? 1 : 0
  }

  /** Where the comment at an offset ends, -1 when there is none. */
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

  /** The last place before `at` that holds neither blank nor block comment, -1 without one; `apart`: a line ends in between, or a comment stands there. */
  before(at: number): { readonly at: number; readonly apart: boolean } {
    let apart = false
    let i = at - 1
    while (i >= 0 && at - i < HORIZON) {
      const char = this.at(i)
      if (char === "/" && this.at(i - 1) === "*") {
        const open = this.slice(Math.max(0, i - NAME), i).lastIndexOf("/*")
        if (open < 0) break
        i = Math.max(0, i - NAME) + open - 1
        apart = true
      } else if (isSpace(char)) {
        apart ||= char === "\n"
        i--
      } else break
    }
    return { at: i, apart }
  }

  /** Whether a name and its colon stand at `at`: a quoted one, or a bare word. */
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
      while (i - at < NAME && (isWord(this.char(i)) || (i > at && this.char(i) === "-"))) i++
      if (i === at) return false
      // A name may have lost its first quote.
      if (isQuote(this.char(i))) i++
    }
    i = this.skip(i)
    const colon = this.char(i)
    return colon === ":" || colon === "：" || (colon === "=" && this.char(i + 1) !== "=")
  }

  /** Where text between escaped quotes ends; -1 when it is long or runs over lines. */
  private escapedEnd(from: number): number {
    for (let i = from; i < from + NAME; i++) {
      const char = this.char(i)
      if (char === "" || char === "\n") return -1
      if (char === "\\" && this.char(i + 1) === '"') return i + 2
    }
    return -1
  }

  /** Where the quoted text at `at` ends, after its last quote; -1 when it is long or runs over lines. */
  quotedEnd(at: number): number {
    const open = this.char(at)
    for (let i = at + 1; i < at + NAME; i++) {
      const char = this.char(i)
      if (char === "" || char === "\n") return -1
      if (char === "\\") i++
      else if (char === open || (open !== '"' && open !== "'" && isQuote(char))) return i + 1
    }
    return -1
  }
}
