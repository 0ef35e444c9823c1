/** Finds members replaced by a later one of the same name. */
import { isContainer, Node } from "./Node.ts"

export interface Duplicate {
  readonly replaced: Node
  readonly by: Node
}

/** In no particular order. Creates nodes only for objects with duplicate names: nodes for all would take most of the memory. */
export const duplicatesOf = (root: Node): ReadonlyArray<Duplicate> => {
  const found: Array<Duplicate> = []
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!node.mayRepeatNames) continue
    const last = new Map<string, number>()
    const { size } = node
    if (node.kind === "object")
      for (let slot = 0; slot < size; slot++) last.set(node.nameOf(slot), slot)
    for (let slot = 0; slot < size; slot++) {
      const by = last.get(node.nameOf(slot))
      if (by !== undefined && by !== slot)
        found.push({ replaced: node.items[slot]!, by: node.items[by]! })
      const item = node.part(slot)
      if (item instanceof Node && isContainer(item)) open.push(item)
    }
  }
  return found
}
