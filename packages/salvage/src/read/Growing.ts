/** A container as it stands while its text is still coming, and what of it was worked out before. */
import type { Json, JsonArray, JsonObject } from "../Salvage.ts"
import { Node, put, setMember, toValue } from "./Node.ts"

/** A copy to look at, so that what was shown does not change when the reader goes on. */
export class Growing extends Node {
  /** The container that is being read: the same one for all copies of it. */
  readonly live: Node

  constructor(live: Node) {
    super(live.kind, live.start)
    this.live = live
    this.closed = false
    this.hold(live.items.slice(), live.keys.slice())
  }
}

interface Begun {
  /** How many items are in it, from the first. */
  count: number
  readonly list: JsonArray
  object: JsonObject
}

const begun = new WeakMap<Node, Begun>()

/** The plain value of a copy, or of any other node. Only what is new since the last copy is worked out. */
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

/** The plain value of all items but the last, which alone may still change, and how many they are; it is copied. */
const valueSoFar = ({ live, kind }: Growing): { value: Json; count: number } => {
  let known = begun.get(live)
  if (known === undefined) begun.set(live, (known = { count: 0, list: [], object: {} }))
  for (; known.count < live.items.length - 1; known.count++) {
    const item = toValue(live.items[known.count]!)
    if (kind === "array") known.list.push(item)
    else setMember(known.object, live.keys[known.count]!, item)
  }
  const value = kind === "array" ? known.list.slice() : { ...known.object }
  return { value, count: known.count }
}
