/** What was read, with where it stood: the tree between model text and typed data. */
import type { Json } from "../Salvage.ts"

export type Kind = "object" | "array" | "string" | "number" | "literal"

/** A scalar that is kept without a node. */
export type Plain = string | number | boolean | null

/** Knows what stands in a container that was taken whole. */
export interface Content {
  contentOf(start: number): Node
}

export class Node {
  readonly kind: Kind
  /** Offsets in the text; `end` is exclusive. */
  readonly start: number
  end: number
  /** Whether the text that makes it up has ended. */
  closed = true
  /** Of a scalar; of a closed container once it was asked for. */
  value: Json | undefined = undefined
  parent: Node | undefined = undefined
  /** Its place among the parent's items. */
  slot = 0
  /** A string that stood in quotes: only such a string is certainly meant as text. */
  quoted = false
  /** Almost all scalars are plain: a node for each would take most of the memory, and so of the time. */
  slots: Array<Node | Plain>
  private names: Array<string>
  /** Slot, start and end of each plain scalar that has no node yet. */
  private spans: Array<number>
  private content: Content | undefined = undefined

  constructor(kind: Kind, start: number) {
    this.kind = kind
    this.start = start
    this.end = start
    const isScalar = kind !== "object" && kind !== "array"
    this.slots = isScalar ? none : []
    this.names = kind === "object" ? [] : none
    this.spans = isScalar ? none : []
  }

  /** A container that is valid JSON: its value is known, what stands in it is only read when that is asked for. */
  static whole(kind: Kind, start: number, end: number, value: Json, content: Content): Node {
    const node = new Node(kind, start)
    node.end = end
    node.value = value
    node.content = content
    return node
  }

  get items(): Array<Node> {
    if (this.content !== undefined) this.take(this.content)
    if (this.spans.length > 0) this.unpack()
    return this.slots as Array<Node>
  }

  /** Of an object: the name of each item. */
  get keys(): Array<string> {
    if (this.content !== undefined) this.take(this.content)
    return this.names
  }

  /** How many items it has; makes no nodes. */
  get size(): number {
    return this.content === undefined ? this.slots.length : Object.keys(this.value!).length
  }

  add(item: Node, key?: string): void {
    item.parent = this
    item.slot = this.slots.length
    this.slots.push(item)
    if (key !== undefined && this.kind === "object") this.names.push(key)
  }

  /** Adds a scalar that nothing is wrong with; text stood in quotes. */
  addPlain(value: Plain, start: number, end: number, key?: string): void {
    this.spans.push(this.slots.length, start, end)
    this.slots.push(value)
    if (key !== undefined && this.kind === "object") this.names.push(key)
  }

  private unpack(): void {
    const { spans, slots } = this
    for (let i = 0; i < spans.length; i += 3) {
      const slot = spans[i]!
      const value = slots[slot] as Plain
      const kind = kindOf(value)
      const item = scalar(kind, value, spans[i + 1]!, spans[i + 2]!)
      item.quoted = kind === "string"
      item.parent = this
      item.slot = slot
      slots[slot] = item
    }
    spans.length = 0
  }

  private take(content: Content): void {
    const { items, keys } = content.contentOf(this.start)
    this.content = undefined
    this.slots = items
    this.names = keys
    for (const item of items) item.parent = this
  }
}

const none: Array<never> = []

const kindOf = (value: Plain): "string" | "number" | "literal" =>
  typeof value === "string" ? "string" : typeof value === "number" ? "number" : "literal"

export const scalar = (
  kind: "string" | "number" | "literal",
  value: Json,
  start: number,
  end: number,
): Node => {
  const node = new Node(kind, start)
  node.value = value
  node.end = end
  return node
}

export const isContainer = (node: Node): boolean => node.kind === "object" || node.kind === "array"

/** A name without a value. */
export const isMissing = (node: Node): boolean =>
  node.kind === "literal" && node.value === null && !node.closed

/** Sets a member as its own, also one called `__proto__`. */
export const setMember = (object: { [key: string]: Json }, key: string, value: Json): void => {
  if (key === "__proto__") {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  } else object[key] = value
}

/** The plain value of a tree. Values of closed parts are kept and shared: they never change again. */
export const toValue = (root: Node): Json => {
  if (root.value !== undefined) return root.value
  const path = [root]
  const built = [emptyOf(root)]
  const next = [0]
  for (;;) {
    const top = path.length - 1
    const node = path[top]!
    const value = built[top]!
    const slot = putKnown(node, value, next[top]!)
    if (slot < node.slots.length) {
      const inner = node.slots[slot] as Node
      next[top] = slot + 1
      path.push(inner)
      built.push(emptyOf(inner))
      next.push(0)
    } else {
      if (node.closed) node.value = value
      if (top === 0) return value
      path.pop()
      built.pop()
      next.pop()
      put(path[top - 1]!, built[top - 1]!, next[top - 1]! - 1, value)
    }
  }
}

/** Takes over the items from a slot on; answers the first whose value is not known. */
const putKnown = (node: Node, value: Json, from: number): number => {
  const { slots } = node
  for (let slot = from; slot < slots.length; slot++) {
    const item = slots[slot]!
    const known = item instanceof Node ? item.value : item
    if (known === undefined) return slot
    put(node, value, slot, known)
  }
  return slots.length
}

const emptyOf = (node: Node): Json =>
  node.value ?? (node.kind === "object" ? {} : node.kind === "array" ? [] : null)

export const put = (node: Node, value: Json, slot: number, item: Json): void => {
  if (node.kind === "array") (value as Array<Json>).push(item)
  else setMember(value as { [key: string]: Json }, node.keys[slot]!, item)
}

/** The JSON Pointer of a node. */
export const pathOf = (node: Node): string => {
  const steps: Array<string> = []
  for (let at = node; at.parent !== undefined; at = at.parent) {
    steps.push(at.parent.kind === "object" ? escapeStep(at.parent.keys[at.slot]!) : String(at.slot))
  }
  return steps.length === 0 ? "" : `/${steps.reverse().join("/")}`
}

export const escapeStep = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1")
