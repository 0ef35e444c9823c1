/** Reads text without quotes: a number, a literal, a name or words. */
import { type Bare, endsAt } from "./bareEnd.ts"
import { type Node, scalar } from "../Node.ts"
import { plain } from "./plain.ts"
import { plainScalarEnd, plainValue } from "./plainScalar.ts"
import type { ReaderState } from "../ReaderState.ts"
import { isQuote, isSpace } from "../characters.ts"
import { scalarRun } from "./scalarRun.ts"
import type { Source } from "../Source.ts"

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[,\]}\s/])/y
/** Literals that are certainly complete at the end of a cut text. */
const isWhole = (text: string): boolean => text === "null" || text === "None"

export class BareText implements Bare {
  readonly start: number
  readonly role: Bare["role"]
  readonly source: Source
  private from: number
  /** Number of brackets opened inside the text. */
  opened = 0

  constructor(source: Source, start: number, role: Bare["role"]) {
    this.source = source
    this.start = start
    this.role = role
    this.from = start
  }

  /** Offset of the first unread character. */
  get unread(): number {
    return this.start
  }

  /** The value so far; `undefined` for a name. */
  soFar(): Node | undefined {
    const { source, start, from } = this
    const rest = source.slice(start, from > start ? from : source.length)
    const text = (from > start ? rest : rest.replace(/[\s,\]}].*$/s, "")).trim()
    if (this.role === "key" || !/[\p{L}\p{N}]/u.test(text)) return undefined
    const read = plain(text, true)
    const node = scalar(read.kind, read.value, this.start, this.start + text.length)
    node.closed = false
    return node
  }

  read(reader: ReaderState): void {
    const inObject = this.role === "member"
    if ((inObject || this.role === "item") && this.readPlain(reader, inObject)) return
    if (this.from === this.start && (this.readQuick(reader) || this.readRun(reader))) return
    const end = this.findEnd(reader)
    if (end === undefined) return
    this.finish(reader, end)
  }

  private readPlain(reader: ReaderState, inObject: boolean): boolean {
    const { source, start } = this
    source.reach(start)
    const index = start - source.start
    const end = plainScalarEnd(source.window, index, inObject)
    if (end < 0) return false
    const { frame } = reader
    reader.token = undefined
    reader.pos = end + source.start
    const value = plainValue(source.window, index, end)
    reader.attachPlain(frame, value, start, reader.pos, frame.name?.text)
    return true
  }

  /** Fast path for plain numbers. */
  private readQuick(reader: ReaderState): boolean {
    if (this.role === "key") return false
    const { role, source, start } = this
    const found = source.exec(NUMBER, start)
    if (found === null) return false
    const end = start + found[0].length
    const next = source.skip(end)
    const char = source.char(next)
    if (char === "," && role === "member" && /\d/.test(source.char(next + 1))) return false
    const ends = char === "" || ",]}{[`".includes(char) || isQuote(char)
    if (!ends && !(next > end && /[\d-]/.test(char)) && !source.slice(end, next).includes("\n"))
      return false
    this.finish(reader, end)
    return true
  }

  /** `[5 true null]`: only the commas are missing. */
  private readRun(reader: ReaderState): boolean {
    const run = this.role === "item" ? scalarRun(this.source, this.start) : undefined
    if (run === undefined || run.count < 2) return false
    this.finish(reader, run.end)
    return true
  }

  private finish(reader: ReaderState, end: number): void {
    const { source, start } = this
    reader.token = undefined
    let stop = end
    while (stop > start && isSpace(source.at(stop - 1))) stop--
    if (
      isQuote(source.at(stop - 1)) &&
      stop - 1 > start &&
      !source.slice(start, stop - 1).includes(source.at(stop - 1))
    ) {
      // Only the last quote is present.
      stop--
      reader.repair("missing_quote", start)
    }
    reader.pos = end
    const text = source.slice(start, stop)
    if (this.role === "key") return this.finishKey(reader, text, end)
    if (text === "") {
      reader.repair("dropped_text", start, reader.frame.node, source.slice(start, start + 1))
      reader.pos = Math.max(end, start + 1)
      return
    }
    const atEnd = end >= source.length
    if (atEnd && reader.frame.form !== "whole" && /^[-+.]$/.test(text)) {
      // The sign of a cut number.
      return reader.repair("dropped_text", start, reader.frame.node, text)
    }
    const read = plain(text, atEnd && (reader.frame.form !== "whole" || reader.growing))
    const node = scalar(read.kind, read.value, start, stop)
    reader.attach(reader.frame, node)
    if (atEnd) node.closed = isWhole(text) || (reader.frame.form === "whole" && !reader.growing)
    if (read.repair !== undefined) reader.repair(read.repair, start, node, text.slice(0, 80))
  }

  private finishKey(reader: ReaderState, text: string, end: number): void {
    const { source, start } = this
    const { frame } = reader
    const next = source.skip(end)
    const char = source.char(next)
    const isName =
      char === ":" ||
      char === "=" ||
      char === "：" ||
      (char === "-" && source.char(next + 1) === ">")
    const valueFollows = isQuote(char) && !source.isName(next)
    if (
      isName ||
      (valueFollows && text !== "") ||
      (char === "" && text !== "" && /^[\w$-]+$/.test(text))
    ) {
      reader.repair("unquoted_key", start, frame.node, text)
      frame.name = { text, start, end, quoted: false }
      frame.mode = "colon"
      frame.from = isName ? -1 : 0
      return
    }
    if (
      frame.node.size === 0 &&
      (char === "," || char === "}") &&
      text !== "" &&
      text.length < 64
    ) {
      reader.convertToArray(frame)
      const read = plain(text, false)
      reader.attach(frame, scalar(read.kind, read.value, start, end))
      return
    }
    reader.repair("dropped_text", start, frame.node, text.slice(0, 80))
    if (end === start) reader.pos = start + 1
  }

  /** End of the text; `undefined` if it is a call, which the reader then opens. */
  private findEnd(reader: ReaderState): number | undefined {
    const { source } = this
    for (let i = this.from; ; i++) {
      const char = source.char(i)
      if (char === "") return i
      if (endsAt(this, char, i)) return i
      if (char === "(" && this.opened === 0 && this.isCallee(i)) {
        reader.openCall(i)
        return undefined
      }
      if (char === "(" || char === "{" || char === "[") this.opened++
      else if (char === ")" || char === "}" || char === "]")
        this.opened = Math.max(0, this.opened - 1)
      this.from = i + 1
    }
  }

  private isCallee(at: number): boolean {
    const { source, start, role } = this
    if (role === "key" || at === start || at - start > 64) return false
    if (!/^(?:new\s+)?[\p{L}_$][\p{L}\p{N}_$.]*\s*$/u.test(source.slice(start, at))) return false
    const next = source.char(source.skip(at + 1))
    const scalarOnly = isQuote(next) || /[-\d{[tfn]/.test(next)
    if (!scalarOnly) return false
    if (role !== "whole") return isQuote(next) || /[-\d{[]/.test(next)
    return true
  }
}
