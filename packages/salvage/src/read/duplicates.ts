/** Finds members replaced by a later one of the same name. */
import type { Json } from "../Salvage.ts"
import { isContainer, type Node } from "./Node.ts"

export interface Duplicate {
  readonly replaced: Node
  readonly by: Node
}

/** In no particular order. */
export const duplicatesOf = (root: Node): ReadonlyArray<Duplicate> => {
  const found: Array<Duplicate> = []
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { items } = node
    if (node.kind === "object" && new Set(node.keys).size < node.keys.length) {
      const last = new Map(node.keys.map((key, slot) => [key, slot]))
      for (const [slot, key] of node.keys.entries()) {
        const by = last.get(key)!
        if (by !== slot) found.push({ replaced: items[slot]!, by: items[by]! })
      }
    }
    for (const item of items) if (isContainer(item)) open.push(item)
  }
  return found
}

/** Whether valid JSON may have duplicate names: more colons after quotes than members in its value. `false` is certain. */
export const mayRepeatNames = (text: string, value: Json): boolean => {
  let colons = 0
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1
    while (before >= 0 && text.charCodeAt(before) <= 32) before--
    if (text.charCodeAt(before) === 34) colons++
  }
  let members = 0
  const open = [value]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null) continue
    if (!Array.isArray(part)) members += Object.keys(part).length
    for (const item of Object.values(part))
      if (typeof item === "object" && item !== null) open.push(item)
  }
  return colons > members
}
