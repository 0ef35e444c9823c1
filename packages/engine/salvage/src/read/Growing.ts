/** Snapshots of containers that still grow, with incrementally computed values. */
import type { Json, JsonArray, JsonObject } from "../Salvage.ts"
import { Node, put, setMember, toValue } from "./Node.ts"

/** A copy of an open container, so that a partial value does not change when reading resumes. */
export class Growing extends Node {
  /** The container being read; shared by all its copies. */
  readonly live: Node

  constructor(live: Node) {
    super(live.kind, live.start)
    this.live = live
    this.closed = false
    this.hold(live.items.slice(), live.keys.slice())
  }
}

interface Progress {
  /** Number of items included, from the first. */
  count: number
  readonly list: JsonArray
  object: JsonObject
}

const progress = new WeakMap<Node, Progress>()

/** The plain value of a copy or any other node. Computes only what is new since the last copy. */
export const growingValue = (node: Node): Json => {
  if (!(node instanceof Growing)) return toValue(node)
  const root = valueSoFar(node)
  let at = node
  let { value, count } = root
  for (;;) {
    let inner: Growing | undefined
    const from = count
    const around = value
    for (let slot = from; slot < at.items.length; slot++) {
      const item = at.items[slot]!
      if (item instanceof Growing) {
        inner = item
        ;({ value, count } = valueSoFar(item))
        put(at, around, slot, value)
      } else put(at, around, slot, toValue(item))
    }
    if (inner === undefined) return root.value
    at = inner
  }
}

/** Copies the values of all items but the last, the only one that may still change; returns their count, too. */
const valueSoFar = ({ live, kind }: Growing): { value: Json; count: number } => {
  let known = progress.get(live)
  if (known === undefined) progress.set(live, (known = { count: 0, list: [], object: {} }))
  for (; known.count < live.items.length - 1; known.count++) {
    const item = toValue(live.items[known.count]!)
    if (kind === "array") known.list.push(item)
    else setMember(known.object, live.keys[known.count]!, item)
  }
  const value = kind === "array" ? known.list.slice() : { ...known.object }
  return { value, count: known.count }
}
