/**
 * The tolerant reader of one value. It keeps its own stack, has bounded lookahead, and can pause anywhere for more
 * text: `run` throws `NeedMoreText`, and resumes when it is called again.
 */
import type { SyntaxRepair } from "../Salvage.ts"
import { BareText } from "./BareText.ts"
import { closeAt } from "./closeAt.ts"
import { Frame } from "./Frame.ts"
import { RepairLog } from "./RepairLog.ts"
import { NameCache } from "./NameCache.ts"
import { isContainer, Node, type Plain, scalar } from "./Node.ts"
import { missingValue } from "./missingValue.ts"
import { QuotedText, type QuotedEnd } from "./QuotedText.ts"
import { readAfter } from "./readAfter.ts"
import { readColon, readName } from "./readName.ts"
import { readFast } from "./readFast.ts"
import { readValue } from "./readValue.ts"
import { skipBlanks } from "./skipBlanks.ts"
import type { Source } from "./Source.ts"
import { takeValid } from "./takeValid.ts"
import { TooDeep } from "./TooDeep.ts"

/** Total rereading allowed, as a multiple of the text's length. */
const MAX_REREAD_FACTOR = 4

export class Reader {
  readonly source: Source
  readonly maxDepth: number
  pos: number
  readonly root: Node
  readonly frames: Array<Frame> = []
  readonly repairs = new RepairLog()
  readonly names = new NameCache()
  /** The text ended inside the value. */
  cut = false
  /** Containers without closers although later brackets close others; the outermost per location. */
  readonly unclosed: Array<Node> = []
  private unclosedAt = -1
  /** Number of closers that are missing, were dropped, or were written as the other kind. */
  readonly closers = { missing: 0, extra: 0, swapped: 0 }
  /** The scalar being read. */
  token: QuotedText | BareText | undefined
  /** The text may still grow, although it is read to its end. */
  growing = false
  private reread = 0

  /** Reads from a bracket, or a text without brackets as the inside of an array. */
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

  /** Finishes with a value that is already known. */
  settle(root: Node): void {
    const own = this as { root: Node }
    own.root = root
    this.frames.length = 0
    this.pos = root.end
  }

  /** Reads to the end of the value or the text. */
  run(): void {
    while (this.frames.length > 0) {
      this.source.reach(this.unread)
      if (this.token === undefined) readFast(this)
      if (this.frames.length > 0) this.step()
    }
  }

  /** Offset of the first unread character. */
  get unread(): number {
    return this.token === undefined ? this.pos : this.token.unread
  }

  repair(kind: SyntaxRepair, at: number, node = this.frame.node, detail?: string): void {
    this.repairs.add(kind, at, node, detail)
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
      return this.closeAll()
    if (char === "<" && /[/|]/.test(this.source.char(this.pos + 1))) return this.closeAll()
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
    this.repair(kind, this.pos)
    this.pos++
  }

  skipEllipsis(): void {
    this.repair("ellipsis", this.pos)
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
      char === "(" ? undefined : takeValid(source, pos, frames.length, maxDepth, frame.node.kind)
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

  /** Adds the next value to a container. `name`: of a member. */
  attach(frame: Frame, node: Node, name = frame.name?.text): void {
    frame.node.add(node, name ?? "")
    this.attached(frame)
  }

  /** Adds a scalar that needs no repair. */
  attachPlain(frame: Frame, value: Plain, start: number, end: number, name?: string): void {
    frame.node.addPlain(value, start, end, name ?? "")
    this.attached(frame)
  }

  private attached(frame: Frame): void {
    frame.mode = "after"
    if (frame.node.kind === "object") frame.name = undefined
  }

  readToken(token: QuotedText | BareText): void {
    if (token instanceof QuotedText) this.finishQuoted(token, token.read(this))
    else token.read(this)
  }

  finishQuoted(token: QuotedText, end: QuotedEnd): void {
    this.token = undefined
    this.pos = end.next
    if (end.bare !== undefined) {
      this.repair("missing_quote", token.start)
      this.token = new BareText(this.source, end.bare, token.position.role, true)
      return
    }
    const { frame } = this
    if (token.position.role === "key") {
      for (const kind of end.repairs) this.repair(kind, token.start)
      return this.setName(frame, end.text, token.start, end.next)
    }
    if (frame.joining !== undefined) {
      this.repair("joined_strings", token.start, frame.joining)
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
    for (const kind of end.repairs) this.repair(kind, token.start, node)
  }

  /** Whether this much text may be reread: total rereading is bounded by the length of the text. */
  mayReread(length: number): boolean {
    this.reread += length
    return this.reread <= MAX_REREAD_FACTOR * this.source.length
  }

  /** Ends the innermost container. */
  pop(end: number): void {
    const frame = this.frames.pop()!
    if (frame.name !== undefined) {
      this.frames.push(frame)
      frame.mode = "value"
      missingValue(this, frame)
      this.frames.pop()
    }
    frame.node.end = end
    frame.node.closed = true
    if (frame.form === "parens" || frame.form === "call") this.unwrapGroup(frame)
    else if (frame.comma >= 0 && frame.mode !== "after")
      this.repair("extra_comma", frame.comma, frame.node)
  }

  /** Ends the innermost container at the current bracket. */
  close(): void {
    this.pos++
    this.pop(this.pos)
  }

  /** Ends the innermost container without a bracket. */
  popMissing(at: number, isCut = false): void {
    const { form, node } = this.frame
    if (form !== "whole" && form !== "implied") {
      this.repair("missing_closer", at, node)
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
    this.repair(frame.form === "call" ? "call" : "tuple", node.start, node)
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

  /** Ends every open container: the text was cut. */
  finish(): void {
    this.cut = true
    this.closeAll()
  }

  closeAll(): void {
    const last = this.source.at(this.source.before(this.pos).at)
    // A cut text does not end in a bracket.
    const isCut = last !== "}" && last !== "]"
    while (this.frames.length > 0) {
      const { frame } = this
      this.popMissing(this.pos, isCut)
      if (this.cut && isContainer(frame.node)) frame.node.closed = false
    }
  }
}
