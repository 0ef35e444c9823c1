/** Two texts → the lines that differ, with equal lines around them. */
import { diff } from "node:util"
import type { Style } from "./Style.ts"
import { visible } from "./text.ts"

/** Equal lines that are shown beside different ones. */
const CONTEXT_LINES = 3

export const diffLines = (from: string, to: string, style: Style): ReadonlyArray<string> => {
  // 1: a line of the first text, -1: of the second.
  const lines = diff(linesOf(from), linesOf(to))
  const isNear = (at: number) =>
    lines
      .slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1)
      .some(([kind]) => kind !== 0)
  return lines.flatMap(([kind, line], at) => {
    if (!isNear(at)) return isNear(at - 1) ? [style.dim("…")] : []
    const text = visible(line)
    return kind === 0
      ? [`  ${text}`]
      : kind > 0
        ? [style.bad(`- ${text}`)]
        : [style.good(`+ ${text}`)]
  })
}

/** An empty text has no line, not an empty one. */
const linesOf = (text: string): Array<string> => (text === "" ? [] : text.split("\n"))
