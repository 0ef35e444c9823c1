/** Reads a string in quotes of any kind. */
import type { SyntaxRepair } from "../../Salvage.ts"
import { closesString } from "./closesString.ts"
import { decode, dedent, unescapeOnce } from "./decode.ts"
import { endsPlainly } from "./plainEnd.ts"
import type { ReaderState } from "../ReaderState.ts"
import type { Source } from "../Source.ts"
import type { StringContext } from "./StringContext.ts"

export interface QuotedEnd {
  readonly text: string
  /** Offset where reading resumes. */
  readonly next: number
  readonly closed: boolean
  readonly repairs: ReadonlyArray<SyntaxRepair>
  /** Set if the string was never closed: read it as bare text from here. `text` shows it if it holds quotes. */
  readonly bare?: number
}

const closers: { readonly [opener: string]: RegExp } = {
  "`": /[`´'‘’]/g,
  "´": /[`´'‘’]/g,
  "‘": /[’‘']/g,
  "’": /[’‘']/g,
  "‚": /[’‘']/g,
  "‛": /[’‘']/g,
  "«": /»/g,
  "»": /[»«]/g,
}
const curly = /["“”„‟]/g
const LAST_LINE_END = /\r?\n[ \t]*$/
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f]/

/** Undecoded UTF-16 units from which on text is decoded for good. */
const SETTLE_UNITS = 256
/** Longer than any escape, in UTF-16 units. */
const ESCAPE_LENGTH = 12

/** Longest part of a name that its repairs show. */
export const SHOWN_NAME_UNITS = 80

export class QuotedText {
  readonly start: number
  readonly position: StringContext
  private readonly source: Source
  private readonly opener: string
  readonly body: number
  /** Delimiter of `"""…"""` and code fences, which end at the same delimiter only. */
  private readonly block: string | undefined
  private readonly escaped: boolean
  private from: number
  suspicious = false
  /** The first quote that was close to closing it. */
  private weak = -1
  /** Up to where no control character stands in it; one stands there when it is behind `from`. */
  private checkedTo: number
  /** What `soFar` has worked out for good, and up to where. */
  private shown = ""
  private shownTo: number

  constructor(source: Source, start: number, position: StringContext) {
    this.source = source
    this.start = start
    this.position = position
    this.escaped = source.at(start) === "\\"
    this.opener = source.at(start + (this.escaped ? 1 : 0))
    this.block = this.blockAt(start)
    this.body = start + (this.block?.length ?? (this.escaped ? 2 : 1))
    this.from = this.body
    this.checkedTo = this.body
    this.shownTo = this.body
  }

  /** Offset of the first unread character. */
  get unread(): number {
    return this.from
  }

  private blockAt(start: number): string | undefined {
    const { opener, source } = this
    if (opener !== '"' && opener !== "'" && opener !== "`") return undefined
    const mark = opener.repeat(3)
    if (!source.has(mark, start) || source.char(start + 3) === opener) return undefined
    return source.find(mark, start + 3) >= 0 ? mark : undefined
  }

  read(reader: ReaderState): QuotedEnd {
    if (this.block !== undefined) return this.readBlock(this.block)
    for (;;) {
      const at = this.nextQuote()
      if (at < 0) return this.unclosed(reader)
      if (this.escaped ? this.isEscapedOnce(at) : !this.isEscaped(at)) {
        if (this.isPlain(at)) return this.end(at, at + 1)
        const verdict = closesString(this.source, at, this, this.position)
        if (verdict === true)
          return this.end(this.escaped && this.backslashes(at) > 0 ? at - 1 : at, at + 1)
        if (typeof verdict === "number") return this.end(verdict, verdict, ["missing_quote"])
        if (verdict === "weak" && this.weak < 0) this.weak = at
        this.suspicious = true
      }
      this.from = at + 1
    }
  }

  /** The text so far. */
  soFar(): string {
    const { source } = this
    if (this.block !== undefined) return dedent(source.slice(this.body))
    // An undecided quote is taken as the closing one.
    const doubtful = this.quoteFrom(this.from)
    const end = doubtful < 0 ? source.length : doubtful
    if (this.escaped) return decode(unescapeOnce(source.slice(this.body, end)), true).text
    if (end - this.shownTo >= SETTLE_UNITS) this.settle(end)
    return this.shown + decode(source.slice(this.shownTo, end), true).text
  }

  /** Decodes the text before the last escape for good. */
  private settle(end: number): void {
    const body = this.source.slice(this.shownTo, end)
    let length = body.lastIndexOf("\\")
    if (length < Math.max(0, body.length - ESCAPE_LENGTH)) length = body.length
    while (body[length - 1] === "\\") length--
    this.shown += decode(body.slice(0, length)).text
    this.shownTo += length
  }

  private nextQuote(): number {
    const { source } = this
    const at = this.quoteFrom(this.from)
    if (at >= 0 || source.final) return at
    this.from = Math.max(this.from, source.length)
    source.char(source.length)
    return -1
  }

  private quoteFrom(from: number): number {
    const { source, opener } = this
    if (opener === '"' || opener === "'") return source.indexOf(opener, from)
    const found = source.exec(closers[opener] ?? curly, from)
    return found === null ? -1 : found.index + source.start
  }

  /** The same shortcut as for a string that arrives as a whole. */
  private isPlain(at: number): boolean {
    const { opener, escaped, suspicious, position, source } = this
    if ((opener !== '"' && opener !== "'") || escaped || suspicious) return false
    return this.hasNoControl(at) && endsPlainly(source.window, at - source.start, position.role)
  }

  /** No control character stands before `at`. */
  private hasNoControl(at: number): boolean {
    if (this.checkedTo >= at) return true
    const control = this.source.slice(this.checkedTo, at).search(CONTROL)
    this.checkedTo = control < 0 ? at : this.checkedTo + control
    return control < 0
  }

  private backslashes(at: number): number {
    const { source } = this
    let i = at - 1
    while (i >= this.body && source.at(i) === "\\") i--
    return at - 1 - i
  }

  private isEscaped(at: number): boolean {
    return this.backslashes(at) % 2 === 1
  }

  private isEscapedOnce(at: number): boolean {
    return this.backslashes(at) % 4 <= 1
  }

  private readBlock(mark: string): QuotedEnd {
    const { source, body } = this
    const at = source.find(mark, body)
    const raw = source.slice(body, at).replace(mark === "```" ? /^[\w+-]*\n/ : /^$/, "")
    const text = mark === "```" ? dedent(`\n${raw}`) : decode(dedent(raw)).text
    return { text, next: at + 3, closed: true, repairs: ["other_quotes"] }
  }

  private end(end: number, next: number, repairs: ReadonlyArray<SyntaxRepair> = []): QuotedEnd {
    const raw = this.source.slice(this.body, end)
    // A line end right before the closing quote is layout.
    const body = LAST_LINE_END.test(raw) && raw.trim() !== "" ? raw.replace(LAST_LINE_END, "") : raw
    const { text, bad } = decode(this.escaped ? unescapeOnce(body) : body)
    const all = [...repairs]
    if (this.opener !== '"') all.push("other_quotes")
    if (this.escaped) all.push("escaped_quotes")
    if (this.suspicious) all.push("inner_quote")
    if (bad) all.push("bad_escape")
    if (CONTROL.test(raw)) all.push("control_character")
    return { text, next, closed: true, repairs: all }
  }

  /**
   * Handles a string that no quote closes. Either a quote taken as text closes it, or the text was cut, or the quote is missing:
   * then closing brackets are at the end, and the string is read as bare text.
   */
  private unclosed(reader: ReaderState): QuotedEnd {
    // The text is complete, because no quote was found.
    const text = this.source.slice(0)
    if (this.weak >= 0 && reader.mayReread(text.length - this.weak)) {
      const { weak } = this
      return this.end(weak, weak + 1, ["missing_quote"])
    }
    const tail = /[\s`]*$/.exec(text.slice(this.body))!.index + this.body
    const last = text[tail - 1]
    const isWhole =
      tail > this.body &&
      ((last === "}" && this.position.inObject) || (last === "]" && this.position.inArray)) &&
      reader.mayReread(text.length - this.body)
    if (isWhole) {
      const passed = this.suspicious ? text.slice(this.body, this.body + SHOWN_NAME_UNITS) : ""
      return { text: passed, next: this.body, closed: true, repairs: [], bare: this.body }
    }
    const body = text.slice(this.body)
    const { text: read } = decode(this.escaped ? unescapeOnce(body) : body, true)
    return { text: read, next: text.length, closed: false, repairs: ["missing_quote"] }
  }
}
