/** A string in quotes, of any kind, while it is being read. */
import type { SyntaxRepair } from "../Salvage.ts"
import { closes, type Position } from "./closes.ts"
import { decode, dedent, unescapeOnce } from "./decode.ts"
import { endsPlainly } from "./plainEnd.ts"
import type { Reader } from "./Reader.ts"
import type { Source } from "./Source.ts"

export interface QuotedEnd {
  readonly text: string
  /** Where reading goes on. */
  readonly next: number
  readonly closed: boolean
  readonly mends: ReadonlyArray<SyntaxRepair>
  /** The opening quote was never closed: from here it is to be read as bare text. */
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
/** One line of text without quotes, and below it a line that holds nothing but one: the closing quote was written twice. */
const STRAY_LINE = /^([^"'\n]*[^\s"'])\s*\n[ \t]*["'][ \t]*$/
/** `"a +`: text that was to be joined with what did not come. */
export const JOINING = /[ \t]+\+[ \t]*$/
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f]/

/** From this length on, text is decoded once for all that follows. */
const SETTLED = 256
/** Longer than any escape. */
const ESCAPE_LENGTH = 12

export class QuotedText {
  readonly start: number
  readonly position: Position
  private readonly source: Source
  private readonly opener: string
  readonly body: number
  /** `"""…"""` and code fences end at their like only. */
  private readonly block: string | undefined
  private readonly escaped: boolean
  private from: number
  suspicious = false
  /** The first quote that was close to closing it. */
  private weak = -1
  /** Up to where no control character stands in it; one stands there when it is behind `from`. */
  private sound: number
  /** What `soFar` has worked out for good, and up to where. */
  private shown = ""
  private shownTo: number

  constructor(source: Source, start: number, position: Position) {
    this.source = source
    this.start = start
    this.position = position
    this.escaped = source.at(start) === "\\"
    this.opener = source.at(start + (this.escaped ? 1 : 0))
    this.block = this.blockAt(start)
    this.body = start + (this.block?.length ?? (this.escaped ? 2 : 1))
    this.from = this.body
    this.sound = this.body
    this.shownTo = this.body
  }

  /** From where on the text is still to be read. */
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

  read(reader: Reader): QuotedEnd {
    if (this.block !== undefined) return this.readBlock(this.block)
    for (;;) {
      const at = this.nextQuote()
      if (at < 0) return this.unclosed(reader)
      if (this.escaped ? this.isEscapedOnce(at) : !this.isEscaped(at)) {
        if (this.isPlain(at)) return this.end(at, at + 1)
        const verdict = closes(this.source, at, this, this.position)
        if (verdict === true)
          return this.end(this.escaped && this.backslashes(at) > 0 ? at - 1 : at, at + 1)
        if (typeof verdict === "number") return this.end(verdict, verdict, ["missing_quote"])
        if (verdict === "weak" && this.weak < 0) this.weak = at
        this.suspicious = true
      }
      this.from = at + 1
    }
  }

  /** What is there of it so far. */
  soFar(): string {
    const { source } = this
    if (this.block !== undefined) return dedent(source.slice(this.body))
    // A quote that is still in doubt is taken for the last one.
    const doubtful = this.quoteFrom(this.from)
    const end = doubtful < 0 ? source.length : doubtful
    if (this.escaped) return decode(unescapeOnce(source.slice(this.body, end)), true).text
    if (end - this.shownTo >= SETTLED) this.settle(end)
    return this.shown + decode(source.slice(this.shownTo, end), true).text
  }

  /** Decodes for good what stands before the last escape. */
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

  /** The same short cut that is taken when the whole string is there at once. */
  private isPlain(at: number): boolean {
    const { opener, escaped, suspicious, position, source } = this
    if ((opener !== '"' && opener !== "'") || escaped || suspicious) return false
    return this.isSound(at) && endsPlainly(source.window, at - source.start, position.place)
  }

  /** No control character stands before `at`. */
  private isSound(at: number): boolean {
    if (this.sound >= at) return true
    const control = this.source.slice(this.sound, at).search(CONTROL)
    this.sound = control < 0 ? at : this.sound + control
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
    return { text, next: at + 3, closed: true, mends: ["other_quotes"] }
  }

  private end(end: number, next: number, mends: ReadonlyArray<SyntaxRepair> = []): QuotedEnd {
    const raw = this.source.slice(this.body, end)
    // A line end right before the closing quote is layout.
    const body = LAST_LINE_END.test(raw) && raw.trim() !== "" ? raw.replace(LAST_LINE_END, "") : raw
    const kept = this.suspicious ? body.replace(STRAY_LINE, "$1") : body
    const { text, bad } = decode(this.escaped ? unescapeOnce(kept) : kept)
    const all = [...mends]
    if (kept !== body) all.push("dropped_text")
    if (this.opener !== '"') all.push("other_quotes")
    if (this.escaped) all.push("escaped_quotes")
    if (this.suspicious) all.push("inner_quote")
    if (bad) all.push("bad_escape")
    if (CONTROL.test(raw)) all.push("control_character")
    return { text, next, closed: true, mends: all }
  }

  /**
   * No quote closes it. Either a quote that was taken for text did, or the text was cut, or the quote is missing:
   * then closing brackets stand at the end, and the string is read like bare text.
   */
  private unclosed(reader: Reader): QuotedEnd {
    // All of it has come, for no quote closes it.
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
    if (isWhole) return { text: "", next: this.body, closed: true, mends: [], bare: this.body }
    const rest = text.slice(this.body)
    const body = rest.replace(JOINING, "")
    if (body !== rest) reader.mend("dropped_text", this.body + body.length)
    const { text: read } = decode(this.escaped ? unescapeOnce(body) : body, true)
    return { text: read, next: text.length, closed: false, mends: ["missing_quote"] }
  }
}
