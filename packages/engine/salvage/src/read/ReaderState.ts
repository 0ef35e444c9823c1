/** What the reader has read of a value, and the changes that each piece of text makes to it. */
import type { SyntaxRepair } from "../Salvage.ts"
import { Frame } from "./Frame.ts"
import { RepairLog } from "./RepairLog.ts"
import { Node, type Plain, scalar } from "./Node.ts"
import type { Source } from "./Source.ts"
import { takeValid } from "./valid/takeValid.ts"
import { LimitExceeded } from "./LimitExceeded.ts"

/** Total rereading allowed, as a multiple of the text's length. */
const MAX_REREAD_FACTOR = 4

/** Maximum number of missing closers of a value; nearly twice the default depth, because a cut text lacks all of them. */
const MAX_MISSING = 1000

/** The scalar being read. */
export interface Token {
  readonly start: number
  /** Offset of the first unread character. */
  readonly unread: number
}

/** A value as read, and the repairs of its syntax. */
export interface Reading {
  readonly root: Node
  readonly repairs: RepairLog
  /** Containers without closers although later brackets close others; the outermost per location. */
  readonly unclosed: ReadonlyArray<Node>
  /** Number of closers that are missing, were dropped, or were written as the other kind. */
  readonly closers: { readonly missing: number; readonly extra: number; readonly swapped: number }
}

const intact = {
  repairs: new RepairLog(),
  unclosed: [],
  closers: { missing: 0, extra: 0, swapped: 0 },
}

/** The reading of a value without repairs. */
export const readingOf = (root: Node): Reading => ({ root, ...intact })

export class ReaderState implements Reading {
  readonly source: Source
  pos: number
  readonly root: Node
  readonly frames: Array<Frame> = []
  readonly repairs = new RepairLog()
  /** The text ended inside the value. */
  cut = false
  readonly unclosed: Array<Node> = []
  private unclosedAt = -1
  readonly closers = { missing: 0, extra: 0, swapped: 0 }
  /** The scalar being read. */
  token: Token | undefined
  /** The text may still grow, although it is read to its end. */
  growing = false
  private reread = 0

  /** Reads from a bracket, or a text without brackets as the inside of an array. */
  constructor(source: Source, at: number, whole = false) {
    this.source = source
    this.pos = at
    this.root = new Node(!whole && source.at(at) === "{" ? "object" : "array", at)
    this.frames.push(
      new Frame(this.root, whole ? "whole" : source.at(at) === "(" ? "parens" : "bracket"),
    )
    if (!whole) this.pos++
  }

  /** What is kept of the value once it is read. */
  get reading(): Reading {
    const { closers, repairs, root, unclosed } = this
    return repairs.isEmpty && unclosed.length === 0
      ? readingOf(root)
      : { closers, repairs, root, unclosed }
  }

  /** Offset of the first unread character. */
  get unread(): number {
    return this.token === undefined ? this.pos : this.token.unread
  }

  repair(kind: SyntaxRepair, at: number, node = this.frame.node, detail?: string | number): void {
    const { maxRepairs } = this.source.limits
    if (kind !== "comment" && ++this.source.repaired > maxRepairs)
      throw new LimitExceeded(`the text needs more than ${maxRepairs} repairs`, at)
    this.repairs.add(kind, at, node, detail)
  }

  get frame(): Frame {
    return this.frames[this.frames.length - 1]!
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
    this.repair(
      kind,
      this.pos,
      this.frame.node,
      kind === "dropped_text" ? this.source.at(this.pos) : undefined,
    )
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
    const { frame, frames, pos, source } = this
    const whole = char === "(" ? undefined : takeValid(source, pos, frames.length, frame.node.kind)
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
    const { maxDepth } = this.source.limits
    if (this.frames.length >= maxDepth)
      throw new LimitExceeded(`the text nests deeper than ${maxDepth} levels`, this.pos)
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

  /** Whether this much text may be reread: total rereading is bounded by the length of the text. */
  mayReread(length: number): boolean {
    this.reread += length
    return this.reread <= MAX_REREAD_FACTOR * this.source.length
  }

  /** `{1, 2}`: a Python set. */
  convertToArray(frame: Frame): void {
    const array = new Node("array", frame.node.start)
    this.replace(frame, array)
    this.repair("tuple", frame.node.start, array)
    frame.mode = "value"
  }

  /** The first name of an object without a value makes it a set; any later one gets a missing value. */
  missingValue(frame: Frame): void {
    const { name } = frame
    frame.name = undefined
    if (name === undefined) return
    if (
      frame.node.size === 0 &&
      !this.cut &&
      name.quoted &&
      frame.mode === "value" &&
      frame.from < 0
    ) {
      this.convertToArray(frame)
      this.attach(frame, scalar("string", name.text, name.start, name.end))
      return
    }
    const missing = scalar("literal", null, name.start, name.end)
    missing.closed = false
    frame.node.add(missing, name.text)
    this.repair("missing_value", name.end, missing)
    frame.mode = "after"
  }

  /** Ends the innermost container. */
  pop(end: number): void {
    const frame = this.frames.pop()!
    if (frame.name !== undefined) {
      this.frames.push(frame)
      frame.mode = "value"
      this.missingValue(frame)
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
      if (++this.closers.missing > MAX_MISSING)
        throw new LimitExceeded(`the text lacks more than ${MAX_MISSING} brackets`, at)
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
}
