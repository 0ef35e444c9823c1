/** Text without quotes, while it is being read: a number, a literal, a name or words. */
import { type Node, scalar } from "./Node.ts"
import { becomeArray } from "./noValue.ts"
import { plain } from "./plain.ts"
import { plainScalarEnd, plainValue } from "./plainScalar.ts"
import { JOINING } from "./QuotedText.ts"
import type { Reader } from "./Reader.ts"
import { isComma, isQuote, isSpace, isWord, type Source } from "./Source.ts"

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[,\]}\s/])/y
/** A value, and right after it the next one. */
const VALUE_BEFORE_VALUE =
  /(?:true|false|null|True|False|None|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?=[ \t]+(?:["'“‘`{[]|-?\d|(?:true|false|null|True|False|None)\b))/y
/** Longest number that may end at a mark other than a comma. */
const NUMBER_LENGTH = 32
/** `12,111` where a comma cannot be followed by an item. */
const THOUSANDS = /[-+]?\d{1,3}(?:,\d{3})+(?![\d,])/y

/** Nothing can go on from these. */
const isWhole = (text: string): boolean => text === "null" || text === "None"

export class BareText {
  readonly start: number
  private readonly place: "key" | "member" | "item" | "whole"
  private readonly source: Source
  private from: number
  /** It stands behind a quote that nothing closes. */
  private readonly lostQuote: boolean
  /** How many brackets the text itself has opened. */
  private opened = 0

  constructor(
    source: Source,
    start: number,
    place: "key" | "member" | "item" | "whole",
    lostQuote = false,
  ) {
    this.source = source
    this.lostQuote = lostQuote
    this.start = start
    this.place = place
    this.from = start
  }

  /** From where on the text is still to be read. */
  get unread(): number {
    return this.start
  }

  /** What it is so far; `undefined` of a name. */
  soFar(): Node | undefined {
    const { source, start, from } = this
    const rest = source.slice(start, from > start ? from : source.length)
    const text = (from > start ? rest : rest.replace(/[\s,\]}].*$/s, "")).trim()
    if (this.place === "key" || !/[\p{L}\p{N}]/u.test(text)) return undefined
    const read = plain(text, true)
    const node = scalar(read.kind, read.value, this.start, this.start + text.length)
    node.closed = false
    return node
  }

  read(reader: Reader): void {
    const inObject = this.place === "member"
    if ((inObject || this.place === "item") && this.readPlain(reader, inObject)) return
    if (this.from === this.start && this.readQuick(reader)) return
    const end = this.findEnd(reader)
    if (end === undefined) return
    this.finish(reader, end)
  }

  private readPlain(reader: Reader, inObject: boolean): boolean {
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

  /** A plain number, as almost all are. */
  private readQuick(reader: Reader): boolean {
    if (this.place === "key") return false
    const { source, start, place } = this
    const before = place === "item" ? source.exec(VALUE_BEFORE_VALUE, start) : null
    if (before !== null) {
      this.finish(reader, start + before[0].length)
      return true
    }
    const found = source.exec(NUMBER, start)
    if (found === null) return false
    const end = start + found[0].length
    const next = source.skip(end)
    const char = source.char(next)
    if (char === "," && place === "member" && /\d/.test(source.char(next + 1))) return false
    const ends = char === "" || ",]}{[`".includes(char) || isQuote(char)
    if (!ends && !(next > end && /[\d-]/.test(char)) && !source.slice(end, next).includes("\n"))
      return false
    this.finish(reader, end)
    return true
  }

  private finish(reader: Reader, end: number): void {
    const { source, start } = this
    reader.token = undefined
    let stop = end
    while (stop > start && isSpace(source.at(stop - 1))) stop--
    if (
      isQuote(source.at(stop - 1)) &&
      stop - 1 > start &&
      !source.slice(start, stop - 1).includes(source.at(stop - 1))
    ) {
      // Only the last quote is there.
      stop--
      reader.mend("missing_quote", start)
    }
    reader.pos = end
    const joined = this.lostQuote ? JOINING.exec(source.slice(start, stop)) : null
    if (joined !== null) {
      stop = start + joined.index
      reader.mend("dropped_text", stop)
    }
    const text = source.slice(start, stop)
    if (this.place === "key") return this.finishKey(reader, text, end)
    if (text === "") {
      reader.mend("dropped_text", start, reader.frame.node, source.slice(start, start + 1))
      reader.pos = Math.max(end, start + 1)
      return
    }
    const atEnd = end >= source.length
    if (atEnd && reader.frame.form !== "whole" && /^[-+.]$/.test(text)) {
      // The sign of a number that did not come.
      return reader.mend("dropped_text", start, reader.frame.node, text)
    }
    const read = plain(text, atEnd && (reader.frame.form !== "whole" || reader.growing))
    const node = scalar(read.kind, read.value, start, stop)
    reader.attach(reader.frame, node)
    if (atEnd) node.closed = isWhole(text) || (reader.frame.form === "whole" && !reader.growing)
    if (read.repair !== undefined) reader.mend(read.repair, start, node, text.slice(0, 80))
  }

  private finishKey(reader: Reader, text: string, end: number): void {
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
      reader.mend("unquoted_key", start, frame.node, text)
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
      becomeArray(reader, frame)
      const read = plain(text, false)
      reader.attach(frame, scalar(read.kind, read.value, start, end))
      return
    }
    reader.mend("dropped_text", start, frame.node, text.slice(0, 80))
    if (end === start) reader.pos = start + 1
  }

  /** Where it ends; `undefined` when it turned out to be something else, which the reader was told. */
  private findEnd(reader: Reader): number | undefined {
    const { source, place } = this
    if (this.from === this.start && source.at(this.start) === "/") {
      const end = this.regexEnd()
      if (end > 0) return end
    }
    if (place === "member" && this.from === this.start) {
      const found = source.exec(THOUSANDS, this.start)
      if (found !== null) {
        source.char(this.start + found[0].length)
        this.from = this.start + found[0].length
      }
    }
    for (let i = this.from; ; i++) {
      const char = source.char(i)
      if (char === "") return i
      if (this.ends(char, i)) return i
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
    const { source, start, place } = this
    if (place === "key" || at === start || at - start > 64) return false
    if (!/^(?:new\s+)?[\p{L}_$][\p{L}\p{N}_$.]*\s*$/u.test(source.slice(start, at))) return false
    const next = source.char(source.skip(at + 1))
    const scalarOnly = isQuote(next) || /[-\d{[tfn]/.test(next)
    if (!scalarOnly) return false
    if (place !== "whole") return isQuote(next) || /[-\d{[]/.test(next)
    return true
  }

  private ends(char: string, at: number): boolean {
    const { source, place } = this
    if (place === "key") return this.endsName(char, at)
    if (char === "\n" || char === "\r") return true
    if (isQuote(char) && at > this.start) {
      if (place === "whole") return false
      if (source.isName(at)) return place === "member" && isSpace(source.at(at - 1))
      return false
    }
    if (this.opened > 0) return false
    if (char > "~") return place !== "whole" && isComma(char) && this.endsAtWideComma(at)
    switch (char) {
      case ",":
        return place !== "member" || this.endsAtComma(at)
      case "\\":
        return place !== "whole" && source.escapedBlank(at) > 0
      case "}":
      case "]":
        return place !== "whole"
      case ")":
        return place !== "whole"
      case ";":
        return this.endsAtSemicolon(at)
      case "`":
        return source.has("```", at)
      case "{":
      case "[":
        return (
          at > this.start &&
          /^[-+]?[\d.]+\s*$/.test(source.slice(Math.max(this.start, at - 32), at))
        )
      case "/":
        if (source.char(at + 1) === "*" && at > this.start) return true
        return (
          at > this.start && isSpace(source.at(at - 1)) && source.commentEnd(at, at + 1024) >= 0
        )
      case "#":
        return (
          at > this.start && isSpace(source.at(at - 1)) && source.commentEnd(at, at + 1024) >= 0
        )
    }
    return false
  }

  private endsName(char: string, at: number): boolean {
    if (isComma(char) || ":=：{}[]\n".includes(char)) return true
    if (char === "-" && this.source.char(at + 1) === ">") return true
    if (char === "(") return false
    if (!isQuote(char) || at === this.start) return false
    // `a": 1` lost its first quote; `word "a": 1` is not part of the name.
    const next = this.source.char(this.source.skip(at + 1))
    return !(next === ":" || next === "=" || next === "：")
  }

  /** In an object a comma ends bare text when a name, a bracket or nothing follows. */
  private endsAtComma(at: number): boolean {
    const { source } = this
    const next = source.skip(at + 1)
    const char = source.char(next)
    if (
      char === "" ||
      char === "}" ||
      char === "]" ||
      char === "," ||
      isQuote(char) ||
      char === "{"
    )
      return true
    if (char === "." && source.has("...", next)) return true
    if (this.strayWord(next)) return true
    return (
      source.isName(next) ||
      (/^[-+\d.]+\s*$/.test(source.slice(this.start, at)) && !/\d/.test(char)) ||
      source.slice(at, next).includes("\n")
    )
  }

  /** `12，`, `true、`: such a comma may as well be a part of words. */
  private endsAtWideComma(at: number): boolean {
    const next = this.source.skip(at + 1)
    return this.saysValue(at) || isQuote(this.source.char(next)) || this.source.isName(next)
  }

  /** What stands before `end` is a number or a literal. */
  private saysValue(end: number): boolean {
    const text = this.source.slice(this.start, end).trim()
    return text.length <= NUMBER_LENGTH && plain(text, false).kind !== "string"
  }

  private endsAtSemicolon(at: number): boolean {
    const next = this.source.skip(at + 1)
    const char = this.source.char(next)
    if (this.place === "whole") return char === ""
    if (this.saysValue(at)) return true
    return (
      char === "" || char === "}" || char === "]" || (isQuote(char) && this.source.isName(next))
    )
  }

  /** `true, NOTE "next": 1`: a word that belongs to nothing, before a name. */
  private strayWord(at: number): boolean {
    const { source } = this
    let i = at
    while (i < at + 64 && (isWord(source.char(i)) || source.char(i) === " ")) i++
    return i > at && isQuote(source.char(i)) && source.isName(i)
  }

  private regexEnd(): number {
    const { source, start } = this
    const found = /\/(?:[^/\\\n]|\\.){1,256}\/[a-z]*/y
    const match = source.exec(found, start)
    if (match === null) return -1
    const end = start + match[0].length
    const next = source.char(source.skip(end))
    return next === "" || ",]}".includes(next) ? end : -1
  }
}
