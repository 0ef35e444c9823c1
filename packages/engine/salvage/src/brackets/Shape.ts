/** Measures how regular a nesting is: items of a list resemble each other, and lines of one container have one indentation. */
import type { BracketToken } from "./tokenize.ts"

/** Everything found at one path; the items of a list share a path. */
interface Spot {
  kinds: number
  /** Number of objects here, and of those with a member of this name. */
  objects: number
  seen: number
  readonly inner: Map<string, Spot>
}

interface Open {
  readonly isObject: boolean
  readonly spot: Spot
  /** Members so far. */
  readonly names: Set<Spot>
  mode: "first" | "next" | "colon" | "value" | "after"
  member: Spot
  /** Indentation of the members that start a line, and of the line that opens the container. */
  indent: number
  readonly outer: number
}

const ITEM = ""
const newSpot = (): Spot => ({ kinds: 0, objects: 0, seen: 0, inner: new Map() })

/** A line with an indentation of its own counts as much as three paths. */
const INDENT_COST = 3

export class Shape {
  private readonly text: string
  private readonly root = newSpot()
  private readonly open: Array<Open> = []
  private cost = 0
  private line = 0
  private done = false

  constructor(text: string) {
    this.text = text
  }

  /** Kind of the innermost open container. */
  get inside(): "{" | "[" | undefined {
    const top = this.open.at(-1)
    return top === undefined ? undefined : top.isObject ? "{" : "["
  }

  /** Cost of the whole nesting, `undefined` if it is not complete. */
  get total(): number | undefined {
    return this.done ? this.cost + gaps(this.root) : undefined
  }

  /** Takes the next token; returns `false` if it cannot follow. */
  take(kind: string, { end, indent, start }: BracketToken): boolean {
    const top = this.open.at(-1)
    if (this.done) return false
    if (indent >= 0) this.line = indent
    switch (kind) {
      case "{":
      case "[":
        if (!this.place(top, indent, kind === "{" ? 8 : 16)) return false
        this.push(kind === "{", top?.member ?? this.root)
        return true
      case "}":
      case "]":
        if (top === undefined || top.isObject !== (kind === "}")) return false
        if (top.mode === "colon" || (top.isObject && top.mode === "value")) return false
        if (indent >= 0 && top.indent >= 0 && indent !== top.outer) this.cost += INDENT_COST
        this.open.pop()
        if (this.open.length === 0) this.done = true
        return true
      case ",":
        if (top?.mode !== "after") return false
        top.mode = "next"
        return true
      case ":":
        if (top?.mode !== "colon") return false
        top.mode = "value"
        return true
    }
    if (top?.isObject === true && (top.mode === "first" || top.mode === "next")) {
      this.align(top, indent)
      // An empty object does not count: it need not have the members of others.
      if (top.mode === "first") top.spot.objects++
      top.member = this.spotOf(
        top.spot,
        this.text.slice(start, end).replace(/^(["'])(.*)\1$/s, "$2"),
      )
      if (top.names.has(top.member)) return false
      top.names.add(top.member)
      top.member.seen++
      top.mode = "colon"
      return true
    }
    return this.place(top, indent, kindOf(this.text.charCodeAt(start)))
  }

  private push(isObject: boolean, spot: Spot): void {
    this.open.push({
      isObject,
      spot,
      names: new Set(),
      mode: "first",
      member: spot,
      indent: -1,
      outer: this.line,
    })
  }

  /** A value: an item of a list, a member's value, or the document. */
  private place(top: Open | undefined, indent: number, kind: number): boolean {
    if (top === undefined) return kind >= 8 && this.root.kinds === 0 && this.note(this.root, kind)
    if (top.isObject ? top.mode !== "value" : top.mode !== "first" && top.mode !== "next")
      return false
    if (!top.isObject) {
      this.align(top, indent)
      top.member = this.spotOf(top.spot, ITEM)
    }
    top.mode = "after"
    return this.note(top.member, kind)
  }

  private note(spot: Spot, kind: number): boolean {
    if ((spot.kinds & kind) === 0) this.cost++
    spot.kinds |= kind
    return true
  }

  private align(top: Open, indent: number): void {
    if (indent < 0) return
    if (top.indent < 0) {
      top.indent = indent
      if (indent <= top.outer) this.cost += INDENT_COST
    } else if (top.indent !== indent) this.cost += INDENT_COST
  }

  private spotOf({ inner }: Spot, name: string): Spot {
    const known = inner.get(name)
    if (known !== undefined) return known
    const spot = newSpot()
    inner.set(name, spot)
    return spot
  }
}

/** Members that other objects at their path have and some lack. */
const gaps = (root: Spot): number => {
  let sum = 0
  const left = [root]
  for (let spot = left.pop(); spot !== undefined; spot = left.pop()) {
    for (const [name, inner] of spot.inner) {
      if (name !== ITEM || spot.objects > 0) sum += Math.max(0, spot.objects - inner.seen)
      left.push(inner)
    }
  }
  return sum
}

const kindOf = (code: number): number =>
  code === 34 || code === 39
    ? 1
    : code === 45 || (code >= 48 && code <= 57)
      ? 2
      : code === 110 || code === 78
        ? 0
        : 4
