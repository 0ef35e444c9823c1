/** Detects values whose text lost brackets in a way that leaves more than one reading. */
import type { Note } from "./fit/Fit.ts"
import { ambiguousItem } from "./read/ambiguousNesting.ts"
import { duplicatesOf } from "./read/duplicates.ts"
import { isContainer, type Node } from "./read/Node.ts"
import type { Reading } from "./read/ReaderState.ts"
import type { RepairKind } from "./Salvage.ts"

export interface Ambiguity {
  readonly message: string
  readonly node: Node
}

/** Returns `undefined` if only one reading is left. `notes`: changes made to fit a schema. */
export const findAmbiguity = (
  root: Node,
  readers: ReadonlyArray<Reading>,
  notes: ReadonlyArray<Note>,
  isTyped: boolean,
): Ambiguity | undefined => {
  let isBroken = false
  for (const { closers, root: part, unclosed } of readers) {
    isBroken ||= unclosed.length + closers.extra + closers.swapped > 0
    if (closers.missing > 0 && closers.extra > 0 && !isTyped)
      return { message: "has both surplus and missing brackets", node: part }
    const item = ambiguousItem(unclosed, closers.missing)
    if (item !== undefined)
      return { message: "may belong to an outer list: brackets are missing", node: item }
  }
  if (!isBroken) return undefined
  const [twice] = duplicatesOf(root)
  if (twice !== undefined)
    return { message: "is a duplicate member, and brackets are missing", node: twice.by }
  const hidden = notes.find(({ kind, node }) => HIDING.has(kind) && isContainer(node))
  return hidden && { message: "is not allowed here, and brackets are missing", node: hidden.node }
}

/** Changes after which part of the document is missing from the value, or in it only as text. */
const HIDING: ReadonlySet<RepairKind> = new Set([
  "dropped_member",
  "dropped_item",
  "to_string",
  "unwrapped",
])
