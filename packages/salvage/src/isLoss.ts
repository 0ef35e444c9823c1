/** Detects repairs that omit possible data. Words around the answer, comments and reasoning do not count. */
import { isContainer, type Node } from "./read/Node.ts"
import type { RepairKind } from "./Salvage.ts"

export interface Remark {
  readonly kind: RepairKind
  readonly at: number
  readonly node?: Node
  /** Of an item of `node`. */
  readonly slot?: number
  readonly detail?: string
  /** For a duplicate member: the one in the value. */
  readonly by?: Node
  /** For a candidate: the text between it and the previous one. */
  readonly gap?: string
}

/** `text`: the text that the remark's offsets refer to. */
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
      // With only commas or closers between them, both were parts of one document.
      return gap !== undefined && RUNS_ON.test(gap)
  }
  return false
}

const DATA = /[\p{L}\p{N}{}[\]]/u
const RUNS_ON = /^\s*[,;}\]][\s,;}\]]*$/

/** Whether both have the same source text. */
const isSame = (a: Node, b: Node, text: string): boolean =>
  a.end - a.start === b.end - b.start && text.slice(a.start, a.end) === text.slice(b.start, b.end)
