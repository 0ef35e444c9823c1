/** Syntax tree: values as read, with their offsets in the text. */
import type { Json } from "../Salvage.ts"

export type Kind = "object" | "array" | "string" | "number" | "literal"

/** A scalar stored without a node. */
export type Plain = string | number | boolean | null

/** Reads the items of a container whose value is already known. */
export interface Content {
  contentOf(start: number): Node
  mayRepeatNames(start: number, end: number, value: Json): boolean
}

export class Node {
  readonly kind: Kind
  /** Offsets in the text; `end` is exclusive. */
  readonly start: number
  end: number
  /** Whether the text of the value is complete. */
  closed = true
  /** Set for a scalar; cached for a closed container. */
  value: Json | undefined = undefined
  parent: Node | undefined = undefined
  /** Index among the parent's items. */
  slot = 0
  /** A quoted string: only such a string is certainly meant as text. */
  quoted = false
  /**
   * Items of a container until nodes are needed: for each its value (or its node), start, end and, in an object, name. Almost
   * all scalars are plain; nodes for them would take most of the memory and time.
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

  /** Creates a container of valid JSON: its value is known, its items are read on demand. */
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

  /** Names of an object's items. */
  get keys(): Array<string> {
    if (this.packed !== undefined) this.unpack(this.packed)
    return this.names
  }

  /** Number of items. Creates no nodes; neither do `part` and `nameOf`. */
  get size(): number {
    if (this.packed === undefined) return this.nodes.length
    return this.content === undefined
      ? this.packed.length / this.step
      : Object.keys(this.value!).length
  }

  /** `false`: no object in it has duplicate names. */
  get mayRepeatNames(): boolean {
    const { content, end, start, value } = this
    if (content === undefined) return true
    if (!content.mayRepeatNames(start, end, value!)) return false
    this.unpack(this.packed!)
    return true
  }

  part(slot: number): Node | Plain {
    return this.packed === undefined ? this.nodes[slot]! : this.packed[slot * this.step]!
  }

  nameOf(slot: number): string {
    return this.packed === undefined
      ? this.names[slot]!
      : (this.packed[slot * this.step + NAME_INDEX] as string)
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

  /** Adds a scalar that needs no repair; a string was quoted. */
  addPlain(value: Plain, start: number, end: number, key?: string): void {
    if (this.packed === undefined) this.add(plainNode(value, start, end), key)
    else if (this.kind === "object") this.packed.push(value, start, end, key)
    else this.packed.push(value, start, end)
  }

  /** Replaces the items. */
  protected hold(items: Array<Node>, keys: Array<string>): void {
    this.packed = undefined
    this.nodes = items
    this.names = keys
  }

  private get step(): number {
    return this.kind === "object" ? NAME_INDEX + 1 : NAME_INDEX
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
      this.add(item, packed[i + NAME_INDEX] as string)
    }
  }
}

/** Index of an item's name among its packed fields. */
const NAME_INDEX = 3
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

/** Sets an own member, also one named `__proto__`. */
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

/** Converts a tree to its plain value. Values of closed parts are cached and shared, because they never change. */
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

/** Copies items with known values from a slot on; returns the first slot without one. */
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
    steps.push(stepTo(at.parent, at.slot))
  }
  return steps.reverse().join("")
}

/** The last step of an item's JSON Pointer. */
export const stepTo = (node: Node, slot: number): string =>
  `/${node.kind === "object" ? escapeStep(node.nameOf(slot)) : slot}`

export const escapeStep = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1")
