/** A container that is valid JSON where it stands is taken whole: most of a text that is not valid is so in its parts. */
import { goesOn } from "./closeAt.ts"
import { type Kind, Node } from "./Node.ts"
import { SOUND_DEPTH } from "./Sound.ts"
import type { Source } from "./Source.ts"

/** `undefined` when it has to be read. `depth`: how many containers it would stand in; `around`: the kind of the innermost one. */
export const takeSound = (
  source: Source,
  start: number,
  depth: number,
  maxDepth: number,
  around: Kind | undefined,
): Node | undefined => {
  const { sound } = source
  if (sound === undefined || depth + SOUND_DEPTH > maxDepth) return undefined
  const end = sound.endOf(start)
  // Only where the reader, too, would end it.
  if (end < 0 || !goesOn(source, end - 1, around)) return undefined
  const value = sound.valueOf(start, end)
  if (value === undefined) return undefined
  const kind = source.at(start) === "{" ? "object" : "array"
  return Node.whole(kind, start, end, value, sound)
}
