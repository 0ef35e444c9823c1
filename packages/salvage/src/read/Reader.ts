/**
 * The tolerant reader: one value from model text. It keeps its own stack, looks ahead a bounded way, and stops for
 * more text at any place: `run` throws `More`, and goes on from where it was when it is called again.
 */
import type { SyntaxRepair } from "../Salvage.ts"
import { BareText } from "./BareText.ts"
import { closeAt } from "./closeAt.ts"
import { Frame } from "./Frame.ts"
import { Mends } from "./Mends.ts"
import { Names } from "./Names.ts"
import { isContainer, Node, type Plain, scalar } from "./Node.ts"
import { noValue } from "./noValue.ts"
import { QuotedText, type QuotedEnd } from "./QuotedText.ts"
import { readAfter } from "./readAfter.ts"
import { readColon, readName } from "./readName.ts"
import { readPlainly } from "./readPlainly.ts"
import { readValue } from "./readValue.ts"
import { skipBlanks } from "./skipBlanks.ts"
import type { Source } from "./Source.ts"
import { takeSound } from "./takeSound.ts"
import { TooDeep } from "./TooDeep.ts"

/** How many times the text may be read again in all. */
const REREAD = 4

export class Reader {
  readonly source: Source
  readonly maxDepth: number
  pos: number
  readonly root: Node
  readonly frames: Array<Frame> = []
  readonly mends = new Mends()
  readonly names = new Names()
  /** The text ended inside the value. */
  cut = false
  /** Containers whose closers are missing although brackets behind them close others: the outermost of each place. */
  readonly unclosed: Array<Node> = []
  private unclosedAt = -1
  /** How many closers are missing, were left out, or stand for those of the other kind. */
  readonly closers = { missing: 0, extra: 0, swapped: 0 }
  /** A scalar that is being read. */
  token: QuotedText | BareText | undefined
  /** Though it is read to its end, the text may still grow. */
  growing = false
  private reread = 0

  /** Reads from a bracket, or from the start of a text without brackets as if it were the inside of an array. */
  constructor(source: Source, at: number, maxDepth: number, whole = false) {
    this.source = source
    this.maxDepth = maxDepth
    this.pos = at
    this.root = new Node(!whole && source.at(at) === "{" ? "object" : "array", at)
    this.frames.push(
      new Frame(this.root, whole ? "whole" : source.at(at) === "(" ? "parens" : "bracket"),
    )
    if (!whole) this.pos++
  }

  /** The value is known without reading it. */
  settle(root: Node): void {
    const own = this as { root: Node }
    own.root = root
    this.frames.length = 0
    this.pos = root.end
  }

  /** Reads until the value has ended, or the text has. */
  run(): void {
    while (this.frames.length > 0) {
      this.source.reach(this.unread)
      if (this.token === undefined) readPlainly(this)
      if (this.frames.length > 0) this.step()
    }
  }

  /** From where on the text is still to be read. */
  get unread(): number {
    return this.token === undefined ? this.pos : this.token.unread
  }

  mend(kind: SyntaxRepair, at: number, node = this.frame.node, detail?: string): void {
    this.mends.add(kind, at, node, detail)
  }

  get frame(): Frame {
    return this.frames[this.frames.length - 1]!
  }

  step(): void {
    if (this.token !== undefined) return this.readToken(this.token)
    if (!skipBlanks(this)) return this.finish()
    const char = this.source.at(this.pos)
    const { frame } = this
    if (char === "`" && this.source.has("```", this.pos) && !this.opensBlock(frame))
      return this.leave()
    if (char === "<" && /[/|]/.test(this.source.char(this.pos + 1))) return this.leave()
    if (char === "}" || char === "]") return closeAt(this, char)
    if (char === ")" && (frame.form === "parens" || frame.form === "call")) return this.close()
    switch (frame.mode) {
      case "name":
        return readName(this, frame, char)
      case "colon":
        return readColon(this, frame, char)
      case "value":
        return readValue(this, frame, char)
      case "after":
        return readAfter(this, frame, char)
    }
  }

  opensBlock(frame: Frame): boolean {
    return (
      frame.mode === "value" && frame.form !== "whole" && this.source.find("```", this.pos + 3) >= 0
    )
  }

  replace(frame: Frame, node: Node): void {
    const { parent, slot } = frame.node
    frame.node = node
    node.parent = parent
    node.slot = slot
    node.closed = false
    if (parent === undefined) (this as { root: Node }).root = node
    else parent.items[slot] = node
  }

  atEscapedQuote(char: string): boolean {
    return char === "\\" && this.source.char(this.pos + 1) === '"'
  }

  skipChar(kind: SyntaxRepair): void {
    this.mend(kind, this.pos)
    this.pos++
  }

  skipEllipsis(): void {
    this.mend("ellipsis", this.pos)
    this.pos += 3
    this.frame.mode = "after"
  }

  setName(frame: Frame, text: string, start: number, end: number): void {
    frame.name = { text, start, end, quoted: true }
    frame.mode = "colon"
    frame.from = -1
  }

  open(char: string): void {
    const { frame, frames, maxDepth, pos, source } = this
    const whole =
      char === "(" ? undefined : takeSound(source, pos, frames.length, maxDepth, frame.node.kind)
    if (whole !== undefined) {
      this.pos = whole.end
      return this.attach(frame, whole)
    }
    const node = new Node(char === "{" ? "object" : "array", pos)
    this.push(node, char === "(" ? "parens" : "bracket")
    this.pos++
  }

  /** `ObjectId("…")`, `callback({…})`. */
  openCall(at: number): void {
    this.push(new Node("array", this.token!.start), "call")
    this.pos = at + 1
    this.token = undefined
  }

  push(node: Node, form: Frame["form"]): void {
    if (this.frames.length >= this.maxDepth) throw new TooDeep(this.pos)
    this.attach(this.frame, node)
    node.closed = false
    this.frames.push(new Frame(node, form))
  }

  /** Gives the innermost container its next value. `name`: of a member. */
  attach(frame: Frame, node: Node, name = frame.name?.text): void {
    frame.node.add(node, name ?? "")
    this.attached(frame)
  }

  /** Gives it a scalar that nothing is wrong with. */
  attachPlain(frame: Frame, value: Plain, start: number, end: number, name?: string): void {
    frame.node.addPlain(value, start, end, name ?? "")
    this.attached(frame)
  }

  private attached(frame: Frame): void {
    frame.mode = "after"
    if (frame.node.kind === "object") frame.name = undefined
  }

  readToken(token: QuotedText | BareText): void {
    if (token instanceof QuotedText) this.took(token, token.read(this))
    else token.read(this)
  }

  took(token: QuotedText, end: QuotedEnd): void {
    this.token = undefined
    this.pos = end.next
    if (end.bare !== undefined) {
      this.mend("missing_quote", token.start)
      this.token = new BareText(this.source, end.bare, token.position.place, true)
      return
    }
    const { frame } = this
    if (token.position.place === "key") {
      for (const kind of end.mends) this.mend(kind, token.start)
      return this.setName(frame, end.text, token.start, end.next)
    }
    if (frame.joining !== undefined) {
      this.mend("joined_strings", token.start, frame.joining)
      frame.joining.value = `${String(frame.joining.value)}${end.text}`
      frame.joining.end = end.next
      frame.joining = undefined
      frame.mode = "after"
      return
    }
    const node = scalar("string", end.text, token.start, end.next)
    node.quoted = true
    node.closed = end.closed
    this.attach(frame, node)
    for (const kind of end.mends) this.mend(kind, token.start, node)
  }

  /** Whether so much text may be read once more: all rereading together is bounded by the length of the text. */
  mayReread(length: number): boolean {
    this.reread += length
    return this.reread <= REREAD * this.source.length
  }

  /** Ends the innermost container. */
  pop(end: number): void {
    const frame = this.frames.pop()!
    if (frame.name !== undefined) {
      this.frames.push(frame)
      frame.mode = "value"
      noValue(this, frame)
      this.frames.pop()
    }
    frame.node.end = end
    frame.node.closed = true
    if (frame.form === "parens" || frame.form === "call") this.unwrapGroup(frame)
    else if (frame.comma >= 0 && frame.mode !== "after")
      this.mend("extra_comma", frame.comma, frame.node)
  }

  /** Ends the innermost container with the bracket that stands here. */
  close(): void {
    this.pos++
    this.pop(this.pos)
  }

  /** Ends the innermost container, whose bracket is not there. */
  popMissing(at: number, isCut = false): void {
    const { form, node } = this.frame
    if (form !== "whole" && form !== "implied") {
      this.mend("missing_closer", at, node)
      this.closers.missing++
      if (!isCut) {
        if (this.unclosedAt === at) this.unclosed.pop()
        this.unclosed.push(node)
        this.unclosedAt = at
      }
    }
    this.pop(at)
  }

  /** `(x)` is x, `(x,)` and `(x, y)` are tuples; a call is its argument. */
  unwrapGroup(frame: Frame): void {
    const { node } = frame
    this.mend(frame.form === "call" ? "call" : "tuple", node.start, node)
    const only = node.items[0]
    if (
      node.items.length !== 1 ||
      only === undefined ||
      (frame.form === "parens" && frame.comma >= 0)
    )
      return
    this.replace(frame, only)
    only.closed = true
  }

  /** The text ended, or something that is no JSON begins: every open container ends here. */
  finish(): void {
    this.cut = true
    this.leave()
  }

  leave(): void {
    const last = this.source.at(this.source.before(this.pos).at)
    // A text that was cut has no brackets at its end.
    const isCut = last !== "}" && last !== "]"
    while (this.frames.length > 0) {
      const { frame } = this
      this.popMissing(this.pos, isCut)
      if (this.cut && isContainer(frame.node)) frame.node.closed = false
    }
  }
}
