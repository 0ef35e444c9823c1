/** Names the occurrences of a stage that runs once per item. */
import { itemAt } from "@planloom/plugin/segments"
import type { Node } from "../../pipeline/Pipeline.ts"

/** Paths that are kept of a stage. */
const MOST_KEPT = 1000

const kept = new WeakMap<Node, Array<string>>()

/** The path of an item by its index. Runs share those of stages at the top, because new texts cost more as keys. */
export const itemPaths = (node: Node, path: string): ((index: number) => string) => {
  const made = (index: number) => itemAt(path, index)
  if (path !== node.id) return made
  let paths = kept.get(node)
  if (paths === undefined) {
    paths = []
    kept.set(node, paths)
  }
  const known = paths
  return (index) => (index < MOST_KEPT ? (known[index] ??= made(index)) : made(index))
}
