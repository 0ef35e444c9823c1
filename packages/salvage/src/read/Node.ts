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
  /**
   * What is in a container, as long as nobody asked for nodes: of each item its value (a node, if it has one), start, end and, of
   * an object's, name. Almost all scalars are plain: nodes and lists of them would take most of the memory, and so of the time.
   */
  private packed: Array<Node | Plain | undefined> | undefined
  private nodes: Array<Node> = none
  private names: Array<string> = none
  private content: Content | undefined = undefined

  constructor(kind: Kind, start: number) {
    this.kind = kind
    this.start = start
    this.end = start
    this.packed = kind === "object" || kind === "array" ? [] : undefined
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
    if (this.packed !== undefined) this.unpack(this.packed)
    return this.nodes
  }

  /** Of an object: the name of each item. */
  get keys(): Array<string> {
    if (this.packed !== undefined) this.unpack(this.packed)
    return this.names
  }

  /** How many items it has; makes no nodes, as `part` and `nameOf` make none. */
  get size(): number {
    if (this.packed === undefined) return this.nodes.length
    return this.content === undefined
      ? this.packed.length / this.step
      : Object.keys(this.value!).length
  }

  part(slot: number): Node | Plain {
    return this.packed === undefined ? this.nodes[slot]! : this.packed[slot * this.step]!
  }

  nameOf(slot: number): string {
    return this.packed === undefined
      ? this.names[slot]!
      : (this.packed[slot * this.step + NAME] as string)
  }

  add(item: Node, key?: string): void {
    item.parent = this
    item.slot = this.size
    if (this.packed === undefined) {
      this.nodes.push(item)
      if (this.kind === "object") this.names.push(key ?? "")
    } else if (this.kind === "object") this.packed.push(item, item.start, item.start, key)
    else this.packed.push(item, item.start, item.start)
  }

  /** Adds a scalar that nothing is wrong with; text stood in quotes. */
  addPlain(value: Plain, start: number, end: number, key?: string): void {
    if (this.packed === undefined) this.add(plainNode(value, start, end), key)
    else if (this.kind === "object") this.packed.push(value, start, end, key)
    else this.packed.push(value, start, end)
  }

  /** Has these items from now on. */
  protected hold(items: Array<Node>, keys: Array<string>): void {
    this.packed = undefined
    this.nodes = items
    this.names = keys
  }

  private get step(): number {
    return this.kind === "object" ? NAME + 1 : NAME
  }

  private unpack(packed: ReadonlyArray<Node | Plain | undefined>): void {
    const { content, step } = this
    this.packed = undefined
    this.content = undefined
    if (content !== undefined) {
      const { items, keys } = content.contentOf(this.start)
      this.hold(items, keys)
      for (const item of items) item.parent = this
      return
    }
    this.nodes = []
    this.names = []
    for (let i = 0; i < packed.length; i += step) {
      const part = packed[i]!
      const item =
        part instanceof Node
          ? part
          : plainNode(part as Plain, packed[i + 1] as number, packed[i + 2] as number)
      this.add(item, packed[i + NAME] as string)
    }
  }
}

/** Where the name of an object's item stands among what is kept of it. */
const NAME = 3
const none: Array<never> = []

const plainNode = (value: Plain, start: number, end: number): Node => {
  const kind = typeof value
  const node = scalar(kind === "string" || kind === "number" ? kind : "literal", value, start, end)
  node.quoted = kind === "string"
  return node
}

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
    if (slot < node.size) {
      const inner = node.part(slot) as Node
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
  const { size } = node
  for (let slot = from; slot < size; slot++) {
    const item = node.part(slot)
    const known = item instanceof Node ? item.value : item
    if (known === undefined) return slot
    put(node, value, slot, known)
  }
  return size
}

const emptyOf = (node: Node): Json =>
  node.value ?? (node.kind === "object" ? {} : node.kind === "array" ? [] : null)

export const put = (node: Node, value: Json, slot: number, item: Json): void => {
  if (node.kind === "array") (value as Array<Json>).push(item)
  else setMember(value as { [key: string]: Json }, node.nameOf(slot), item)
}

/** The JSON Pointer of a node. */
export const pathOf = (node: Node): string => {
  const steps: Array<string> = []
  for (let at = node; at.parent !== undefined; at = at.parent) {
    steps.push(
      at.parent.kind === "object" ? escapeStep(at.parent.nameOf(at.slot)) : String(at.slot),
    )
  }
  return steps.length === 0 ? "" : `/${steps.reverse().join("/")}`
}

export const escapeStep = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1")
