/**
 * Scans model text for candidate answers: collects reasoning, skips prose and fences, and reads a value at each bracket
 * that can start one. Resumes as the text grows.
 */
import { plain } from "../read/scalar/plain.ts"
import { Reader } from "../read/Reader.ts"
import { LimitExceeded } from "../read/LimitExceeded.ts"
import { readingOf, type Reading } from "../read/ReaderState.ts"
import type { Limits } from "../Task.ts"
import { ValidContainers } from "../read/valid/ValidContainers.ts"
import { isQuote, isSpace, isWord } from "../read/characters.ts"
import { NeedMoreText, Source } from "../read/Source.ts"
import { takeValid } from "../read/valid/takeValid.ts"

export interface Candidate {
  readonly reader: Reading
  readonly start: number
  readonly end: number
  readonly fenced: boolean
  /** Words precede it, after the previous candidate or the start of the text. */
  readonly apart: boolean
  readonly complete: boolean
}

export interface Span {
  readonly start: number
  readonly end: number
}

const OPENING = /<(reasoning|thinking|think|thought|scratchpad)(?:\s[^>]*)?>/iy
const CLOSING = /<\/(reasoning|thinking|think|thought|scratchpad)\s*>/iy
/** Longest recognized tag, in UTF-16 units. */
const TAG = 80
const INTERESTING = /[{[(<`~]|\/\*|^[ \t]*\/\//gm
/** A bracket that can start a value after prose. */
const STARTS_OBJECT =
  /\{[\s\u200b\u2060]*,?\s*(?:\*{1,2}["“\p{L}]|["'`“‘«}/]|\\["n]|\{|[\p{L}_$][\p{L}\p{N}_$ -]{0,40}["']?\s*(?::|=|["'“]))/uy
const STARTS_ARRAY =
  /\[[\s\u200b\u2060]*,?\s*(?:["'`“‘«{[\]/]|\\["n]|-?\d|true\b|false\b|null\b|None\b|True\b|False\b|[\p{L}_$][\p{L}\p{N}_$ -]{0,40}["']?,)/uy

/** Maximum number of values with words between them. */
const MAX_RUNS = 10_000

export class Scanner {
  readonly source: Source
  readonly candidates: Array<Candidate> = []
  readonly reasoning: Array<Span> = []
  /** Comments outside values. */
  readonly comments: Array<Span> = []
  /** Start of unfinished reasoning, or -1. */
  thinking = -1
  reader: Reader | undefined
  private pos = 0
  private tag = ""
  /** The quote directly before the tag, or another character. */
  private quote = ""
  private fence = ""
  /** The text so far has words outside candidates and reasoning. */
  private prose = false
  private apart = false
  /** Number of candidates with words before them. */
  private runs = 0

  constructor(limits: Limits) {
    this.source = new Source(limits)
  }

  /** Appends a chunk and reads as far as possible. `final`: the chunk is the whole text. */
  advance(chunk: string, final: boolean): void {
    const { source } = this
    source.append(chunk, this.unread)
    source.final = final
    if (final) source.valid = new ValidContainers(chunk)
    try {
      for (;;) {
        if (this.reader !== undefined) this.readValue(this.reader)
        else if (!this.scan()) return
      }
    } catch (error) {
      if (!(error instanceof NeedMoreText)) throw error
    }
  }

  /** Offset of the first unread character. */
  private get unread(): number {
    return this.reader === undefined ? this.source.soughtUpTo(this.pos) : this.reader.unread
  }

  /** The value being read, as an incomplete candidate. */
  get current(): Candidate | undefined {
    const { reader, source, apart } = this
    if (reader === undefined) return undefined
    const { start } = reader.root
    const fenced = this.fence !== ""
    return { reader, start, end: source.length, fenced, apart, complete: false }
  }

  /** Offset after the last reasoning. */
  get answerStart(): number {
    const last = this.reasoning.at(-1)
    return last === undefined ? 0 : last.end
  }

  private readValue(reader: Reader): void {
    reader.run()
    this.reader = undefined
    this.found(reader.reading, reader.pos, !reader.cut)
  }

  private found(reader: Reading, end: number, complete: boolean): void {
    const { apart, candidates } = this
    const { start } = reader.root
    if (apart && ++this.runs > MAX_RUNS)
      throw new LimitExceeded(`the text holds more than ${MAX_RUNS} values between words`, start)
    candidates.push({ reader, start, end, fenced: this.fence !== "", apart, complete })
    this.apart = false
    this.pos = Math.max(end, start + 1)
  }

  /** Takes one step outside a value; returns `false` at the end of the text. */
  private scan(): boolean {
    const { source } = this
    if (this.thinking >= 0) return this.think()
    const found = source.exec(INTERESTING, this.pos)
    const at = found === null ? source.length : found.index + source.start
    this.note(this.pos, at)
    this.pos = at
    if (found === null) return false
    switch (found[0]) {
      case "<":
        return this.readTag(at)
      case "`":
      case "~":
        return this.readFence(at, found[0])
      case "{":
      case "[":
      case "(":
        return this.readBracket(at, found[0])
    }
    return this.skipComment(at, found[0])
  }

  private skipComment(at: number, mark: string): boolean {
    const { source } = this
    const close = mark === "/*" ? "*/" : "\n"
    const end = source.find(close, at + mark.length)
    this.pos = end < 0 ? source.length : end + close.length
    this.comments.push({ start: at, end: this.pos })
    return true
  }

  private readBracket(at: number, char: string): boolean {
    const { source } = this
    if (this.mayStartValue(at, char)) {
      source.escapedBrackets = source.at(at - 1) === "\\"
      const whole = char === "(" ? undefined : takeValid(source, at, 0, undefined)
      if (whole === undefined) this.reader = new Reader(source, at)
      else this.found(readingOf(whole), whole.end, true)
      return true
    }
    this.note(at, at + 1)
    this.pos = at + 1
    return true
  }

  /** Records skipped words. */
  private note(from: number, to: number): void {
    for (let i = from; i < to && !this.apart; i++) {
      const char = this.source.at(i)
      if (!isSpace(char) && char !== "," && char !== ";" && char !== "\\") {
        this.apart = true
        this.prose = true
      }
    }
  }

  private think(): boolean {
    const { source } = this
    const close = source.find(`</${this.tag}`, this.pos)
    if (close < 0) {
      this.pos = source.length
      return false
    }
    this.pos = close
    const end = source.find(">", close)
    const pos = end < 0 ? source.length : end + 1
    // Alone in quotes, it is a text.
    const isText = isQuote(this.quote) && source.char(pos) === this.quote
    if (!isText) this.reasoning.push({ start: this.thinking, end: close })
    this.thinking = -1
    this.pos = pos
    return true
  }

  private readTag(at: number): boolean {
    const { source } = this
    const opening = source.exec(OPENING, at)
    if (opening !== null) {
      this.tag = opening[1]!
      this.quote = source.at(at - 1)
      this.thinking = at + opening[0].length
      this.pos = this.thinking
      return true
    }
    const closing = source.exec(CLOSING, at)
    if (closing !== null) {
      // The opening tag was part of the prompt: everything before is reasoning.
      const start = this.reasoning.at(-1)?.end ?? 0
      this.reasoning.push({ start, end: at })
      this.candidates.length = 0
      this.fence = ""
      this.prose = false
      this.apart = false
      this.pos = at + closing[0].length
      return true
    }
    // The rest of the tag may still arrive.
    if (source.length - at < TAG && !/[>\n]/.test(source.slice(at + 1))) source.char(source.length)
    if (source.has("<!--", at)) {
      const end = source.find("-->", at)
      this.pos = end < 0 ? source.length : end + 3
      return true
    }
    const tag = /<\/?[\w|:.-]{1,60}(?:\s[^<>]{0,200})?>/y
    const found = source.exec(tag, at)
    this.pos = found === null ? at + 1 : at + found[0].length
    if (found === null) this.note(at, at + 1)
    return true
  }

  private readFence(at: number, char: string): boolean {
    const { source } = this
    if (!source.has(char.repeat(3), at)) {
      this.pos = at + 1
      return true
    }
    let end = at + 3
    while (source.char(end) === char) end++
    const opens = this.fence !== char
    if (opens) end = this.pastLanguage(end)
    this.fence = opens ? char : ""
    this.pos = end
    return true
  }

  private pastLanguage(from: number): number {
    let end = from
    while (/[\w+-]/.test(this.source.char(end))) end++
    return end
  }

  private mayStartValue(at: number, char: string): boolean {
    const { source } = this
    if (char === "[" && this.isMark(at)) return false
    if (char === "(") return this.fence === "" ? !this.prose : source.before(at).apart
    const next = source.char(at + 1)
    if (next === "`" && source.has("```", at + 1)) return false
    const pattern = char === "{" ? STARTS_OBJECT : STARTS_ARRAY
    if (!this.prose || this.fence !== "" || this.followsLabel(at)) {
      return char !== "{" || next !== ":"
    }
    if (source.exec(pattern, at) !== null)
      return source.at(at + 1) !== "]" || source.char(at + 2) !== "("
    if (!source.final && source.length - at < 64) source.char(source.length)
    return false
  }

  /** `[/INST] {…}`, `[TOOL_CALLS] […]`: a control mark from the model's chat template. */
  private isMark(at: number): boolean {
    const { source } = this
    let end = at + (source.char(at + 1) === "/" ? 2 : 1)
    const from = end
    while (end < from + 32 && /[A-Z_]/.test(source.char(end))) end++
    if (end < from + 2 || source.char(end) !== "]") return false
    const next = source.char(source.skip(end + 1))
    if (next !== "{" && next !== "[") return false
    return plain(source.slice(from, end), false).kind === "string"
  }

  /** `answer =`, `Output:`, `callback(`: a value follows. */
  private followsLabel(at: number): boolean {
    const before = this.source.before(at)
    const char = this.source.at(before.at)
    if (before.at < 0) return true
    if (char === "(") return isWord(this.source.at(before.at - 1))
    return char === "=" || char === ":" || (before.apart && char !== "{")
  }
}
