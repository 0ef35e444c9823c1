/**
 * Where a document that ended before all its brackets were closed can be read in two ways: closers may be missing at its end, or
 * before an item that looks like the items of a list further out.
 */
import { isContainer, type Node } from "./Node.ts"

/** The first item that may belong further out; `undefined` without one. `missing`: how many closers the text lacks in all. */
export const doubtfulItem = (unclosed: ReadonlyArray<Node>, missing: number): Node | undefined => {
  const looked = new Set<Node>()
  for (const root of unclosed) {
    const open = [root]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const { items, kind } = node
      looked.add(node)
      for (const item of items) {
        if (!isContainer(item)) continue
        if (kind === "array" && belongsFurtherOut(item, node, root, missing)) return item
        if (!looked.has(item)) open.push(item)
      }
    }
  }
  return undefined
}

/** With closers before the item, each bracket behind it closes a container as many levels further out, of the same kind. */
const belongsFurtherOut = (item: Node, list: Node, root: Node, missing: number): boolean => {
  const [first] = list.items
  const isForeign = first === item || !isAlike(item, first!)
  if (!isForeign && missing < 2) return false
  let inner = list
  for (let levels = Math.min(missing, LEVELS); levels > 0 && inner !== root; levels--) {
    const outer = inner.parent
    // A group in parentheses that was one value is no longer in the tree.
    if (outer === undefined) return false
    if (outer.kind === "array") {
      const other = outer.items.find((each) => each !== inner) ?? inner
      if (isAlike(item, other) && closesAlike(list, outer, root)) return true
    }
    inner = outer
  }
  return false
}

/** How many levels closers may be missing in one place. */
const LEVELS = 8
/** How many names of an object are compared. */
const NAMES = 64

/** The kinds of the containers around one, from the inside out, begin as those around the other, up to `root`. */
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
  const names = a.keys.slice(0, NAMES)
  const others = new Set(b.keys.slice(0, NAMES))
  const common = names.filter((key) => others.has(key)).length
  return common > 0 && common * 2 >= Math.min(names.length, others.size)
}
