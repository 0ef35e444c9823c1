/** Recognizes numbers and literals with only blanks between them: the commas are missing. */
import { isQuote, isSpace } from "../characters.ts"
import { plain } from "./plain.ts"
import type { Source } from "../Source.ts"

/** Longest scalar, and most of them that are looked at. */
const MAX_SCALAR_UNITS = 32
const MAX_RUN = 8

export interface ScalarRun {
  /** End of the first scalar. */
  readonly end: number
  readonly count: number
  /** The character behind the run. */
  readonly follower: string
}

/** Returns `undefined` if there is anything else before the next comma, quote or bracket. */
export const scalarRun = (source: Source, start: number): ScalarRun | undefined => {
  let first = -1
  let at = start
  let follower = ""
  for (let count = 1; count <= MAX_RUN; count++) {
    const end = scalarEnd(source, at)
    if (end < 0) return undefined
    if (first < 0) first = end
    at = source.skip(end)
    follower = source.char(at)
    if (follower === "" || ",]}[{".includes(follower) || isQuote(follower))
      return { end: first, count, follower }
  }
  return { end: first, count: MAX_RUN, follower }
}

const scalarEnd = (source: Source, start: number): number => {
  let at = start
  for (; ; at++) {
    const char = source.char(at)
    if (char === "" || isSpace(char) || ",]}".includes(char)) break
    if (at - start >= MAX_SCALAR_UNITS) return -1
  }
  return at > start && plain(source.slice(start, at), false).kind !== "string" ? at : -1
}
