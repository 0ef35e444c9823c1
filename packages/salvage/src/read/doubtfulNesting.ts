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
  for (let levels = 1; levels <= missing && inner !== root; levels++) {
    const outer = inner.parent!
    if (outer.kind === "array") {
      const other = outer.items.find((each) => each !== inner) ?? inner
      if (isAlike(item, other) && closesAlike(list, outer, root)) return true
    }
    inner = outer
  }
  return false
}

/** The kinds of the containers around one, from the inside out, begin as those around the other, up to `root`. */
const closesAlike = (inner: Node, outer: Node, root: Node): boolean => {
  for (let a = inner, b = outer; ; a = a.parent!, b = b.parent!) {
    if (a.kind !== b.kind) return false
    if (b === root) return true
  }
}

/** Both scalars, lists with such first items, or objects with half of their names in common. */
const isAlike = (a: Node, b: Node): boolean => {
  if (a.kind !== b.kind) return !isContainer(a) && !isContainer(b)
  if (!isContainer(a)) return true
  const [one] = a.items
  const [other] = b.items
  if (one === undefined || other === undefined) return true
  if (a.kind === "array") return isAlike(one, other)
  const names = new Set(b.keys)
  const common = a.keys.filter((key) => names.has(key)).length
  return common > 0 && common * 2 >= Math.min(a.keys.length, b.keys.length)
}
