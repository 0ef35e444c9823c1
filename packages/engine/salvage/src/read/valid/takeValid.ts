/** Parses a container that is valid JSON as a whole: most parts of an invalid text are valid. */
import { canFollow } from "../canFollow.ts"
import { type Kind, Node } from "../Node.ts"
import { MAX_VALID_DEPTH } from "./ValidContainers.ts"
import type { Source } from "../Source.ts"

/** Returns `undefined` if the container must be read. `depth`: number of containers around it; `around`: kind of the innermost. */
export const takeValid = (
  source: Source,
  start: number,
  depth: number,
  around: Kind | undefined,
): Node | undefined => {
  const { limits, valid } = source
  if (valid === undefined || depth + MAX_VALID_DEPTH > limits.maxDepth) return undefined
  const end = valid.endOf(start)
  // Only if the reader would end it there, too.
  if (end < 0 || GLUED.test(source.at(end)) || !canFollow(source, end - 1, around)) return undefined
  const value = valid.valueOf(start, end)
  if (value === undefined) return undefined
  const kind = source.at(start) === "{" ? "object" : "array"
  return Node.whole(kind, start, end, value, valid)
}

/** Directly after a bracket, text continues: the bracket may be part of it, as in `"{"}x"`. */
const GLUED = /[\p{L}\p{N}$\\+*?^|]/u
