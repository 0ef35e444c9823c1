/** Why a value may not hold what its text said, where it said it: the text has lost brackets, and more than one reading is left. */
import type { Note } from "./fit/Fit.ts"
import { doubtfulItem } from "./read/doubtfulNesting.ts"
import { duplicatesOf } from "./read/duplicates.ts"
import { isContainer, type Node } from "./read/Node.ts"
import type { Reader } from "./read/Reader.ts"
import type { RepairKind } from "./Salvage.ts"

export interface Doubt {
  readonly message: string
  readonly node: Node
}

/** `undefined`: the one reading that is left is the value. `notes`: what was changed to fit a schema. */
export const doubtOf = (
  root: Node,
  readers: ReadonlyArray<Reader>,
  notes: ReadonlyArray<Note>,
  isTyped: boolean,
): Doubt | undefined => {
  let isBroken = false
  for (const { closers, root: part, unclosed } of readers) {
    isBroken ||= unclosed.length + closers.extra + closers.swapped > 0
    if (closers.missing > 0 && closers.extra > 0 && !isTyped)
      return { message: "has brackets too many and brackets too few", node: part }
    const item = doubtfulItem(unclosed, closers.missing)
    if (item !== undefined)
      return { message: "may belong to a list further out: brackets are missing", node: item }
  }
  if (!isBroken) return undefined
  const [twice] = duplicatesOf(root)
  if (twice !== undefined)
    return { message: "is given twice, and brackets are missing", node: twice.by }
  const hidden = notes.find(({ kind, node }) => HIDING.has(kind) && isContainer(node))
  return hidden && { message: "is not allowed here, and brackets are missing", node: hidden.node }
}

/** With these, a part of the document is no longer in the value, or only as text. */
const HIDING: ReadonlySet<RepairKind> = new Set([
  "dropped_member",
  "dropped_item",
  "to_string",
  "unwrapped",
])
