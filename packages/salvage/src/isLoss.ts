/** Which repairs leave out what may be data. Words around the answer, comments and reasoning are none. */
import { isContainer, type Node } from "./read/Node.ts"
import type { RepairKind } from "./Salvage.ts"

export interface Remark {
  readonly kind: RepairKind
  readonly at: number
  readonly node?: Node
  readonly detail?: string
  /** Of a member that is given twice: the one that is in the value. */
  readonly by?: Node
  /** Of a candidate: what stands between it and the one before. */
  readonly gap?: string
}

/** `text`: what the offsets of the remark belong to. */
export const isLoss = ({ by, detail, gap, kind, node }: Remark, text: string): boolean => {
  switch (kind) {
    case "ellipsis":
      return true
    case "dropped_text":
      return detail !== undefined && DATA.test(detail)
    case "not_finite":
      return detail !== undefined && /\d/.test(detail)
    case "dropped_member":
      return node !== undefined && isContainer(node) && node.size > 0
    case "duplicate_key":
      return node !== undefined && by !== undefined && !isSame(node, by, text)
    case "other_candidate":
      // With nothing but a comma or closers between them, both were parts of one document.
      return gap !== undefined && RUNS_ON.test(gap)
  }
  return false
}

const DATA = /[\p{L}\p{N}{}[\]]/u
const RUNS_ON = /^\s*[,;}\]][\s,;}\]]*$/

/** Written in the same way. */
const isSame = (a: Node, b: Node, text: string): boolean =>
  a.end - a.start === b.end - b.start && text.slice(a.start, a.end) === text.slice(b.start, b.end)
