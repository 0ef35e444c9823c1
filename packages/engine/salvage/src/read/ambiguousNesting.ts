/**
 * Detects a document with missing closers that can be read in two ways: they are missing at its end, or before an item that
 * resembles the items of an outer list.
 */
import { isContainer, type Node } from "./Node.ts"

/** Finds the first item that may belong to an outer list. `missing`: number of closers the text lacks. */
export const ambiguousItem = (unclosed: ReadonlyArray<Node>, missing: number): Node | undefined => {
  const looked = new Set<Node>()
  for (const root of unclosed) {
    const open = [root]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const { items, kind } = node
      looked.add(node)
      for (const item of items) {
        if (!isContainer(item)) continue
        if (kind === "array" && mayBelongFurtherOut(item, node, root, missing)) return item
        if (!looked.has(item)) open.push(item)
      }
    }
  }
  return undefined
}

/** With closers before the item, each later bracket would close a container of the same kind that many levels further out. */
const mayBelongFurtherOut = (item: Node, list: Node, root: Node, missing: number): boolean => {
  const [first] = list.items
  const isForeign = first === item || !isAlike(item, first!)
  if (!isForeign && missing < 2) return false
  let inner = list
  for (let levels = Math.min(missing, MAX_LEVELS); levels > 0 && inner !== root; levels--) {
    const outer = inner.parent
    // Parentheses around a single value are not in the tree.
    if (outer === undefined) return false
    if (outer.kind === "array") {
      const other = outer.items.find((each) => each !== inner) ?? inner
      if (isAlike(item, other) && closesAlike(list, outer, root)) return true
    }
    inner = outer
  }
  return false
}

/** Maximum number of closers missing at one location. */
const MAX_LEVELS = 8
/** Maximum number of an object's names to compare. */
const MAX_COMPARED_NAMES = 64

/** Whether the kinds of the containers around both, from the inside out, are equal up to `root`. */
const closesAlike = (inner: Node, outer: Node, root: Node): boolean => {
  let a = inner
  for (let b: Node | undefined = outer; b !== undefined; b = b.parent, a = a.parent!) {
    if (a.kind !== b.kind) return false
    if (b === root) break
  }
  return true
}

/** Both scalars, lists with such first items, or objects with half of their names in common. */
const isAlike = (a: Node, b: Node): boolean => {
  if (a.kind !== b.kind) return !isContainer(a) && !isContainer(b)
  if (!isContainer(a)) return true
  const [one] = a.items
  const [other] = b.items
  if (one === undefined || other === undefined) return true
  if (a.kind === "array") return isAlike(one, other)
  const names = a.keys.slice(0, MAX_COMPARED_NAMES)
  const others = new Set(b.keys.slice(0, MAX_COMPARED_NAMES))
  const common = names.filter((key) => others.has(key)).length
  return common > 0 && common * 2 >= Math.min(names.length, others.size)
}
