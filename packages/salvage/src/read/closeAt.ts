/** Handles a closing bracket: it closes the innermost container, an outer one, or none. */
import type { Frame } from "./Frame.ts"
import type { Reader } from "./Reader.ts"
import { isQuote, type Source } from "./Source.ts"

export const closeAt = (reader: Reader, char: "}" | "]"): void => {
  const { frames, source, pos } = reader
  const kind = char === "}" ? "object" : "array"
  const top = frames.length - 1
  let match = top
  while (match >= 0 && !(frames[match]!.node.kind === kind && frames[match]!.form === "bracket"))
    match--
  if (match < 0) return withoutMatch(reader, char)
  if (match < top && listOfObjectsContinues(reader, frames[match - 1]?.node.kind))
    return drop(reader)
  if (canFollow(source, pos, frames[match - 1]?.node.kind)) {
    while (frames.length - 1 > match) reader.popMissing(pos)
    return reader.close()
  }
  // The text after it belongs to the container that it would close.
  if (match === top) return closesOuter(reader) ? reader.close() : drop(reader)
  if (canFollow(source, pos, frames[top - 1]!.node.kind)) {
    return swap(reader)
  }
  return drop(reader)
}

/** `[{…}}, {…}]`, `[{…}}]`: a doubled bracket in a list of objects that continues. */
const listOfObjectsContinues = (
  { source, pos, frame }: Reader,
  around: string | undefined,
): boolean => {
  if (around === "array" || frame.form !== "bracket" || frame.node.items.at(-1)?.kind !== "object")
    return false
  const next = source.skip(pos + 1)
  const char = source.char(next)
  return char === "]" || (char === "," && source.char(source.skip(next + 1)) === "{")
}

/** Whether the text after it belongs to an outer list: brackets are missing after this one. */
const closesOuter = ({ frames, source, pos }: Reader): boolean => {
  const then = source.char(source.skip(source.skip(pos + 1) + 1))
  if (then !== "{" && then !== "[") return false
  const isList = ({ node }: Frame) => node.kind === "array"
  return frames.at(-1)!.node.kind === "object" || frames.slice(0, -1).some(isList)
}

const swap = (reader: Reader): void => {
  reader.repair("swapped_closer", reader.pos)
  reader.closers.swapped++
  reader.close()
}

const drop = (reader: Reader): void => {
  reader.closers.extra++
  reader.repair("extra_closer", reader.pos)
  reader.pos++
}

/** `{"a": 1]`: closes the innermost container if the text after it allows that. */
const withoutMatch = (reader: Reader, char: string): void => {
  const { frames, source, pos } = reader
  const frame = reader.frame
  const isSet =
    char === "}" &&
    frame.mode === "after" &&
    frame.node.start < pos &&
    source.at(frame.node.start) === "{"
  if (isSet) return reader.close()
  const isLast = frames.length > 1 || !isFollowedByValue(source, pos)
  if (
    !isLast ||
    frame.form !== "bracket" ||
    !canFollow(source, pos, frames[frames.length - 2]?.node.kind)
  ) {
    return drop(reader)
  }
  return swap(reader)
}

/** `], "k" 1`, `], "k: 1`: a name without its colon, or without its last quote. */
const isNameOnly = (source: Source, at: number): boolean => {
  const end = isQuote(source.char(at)) ? source.quotedEnd(at) : -1
  if (end < 0) return false
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*:\s/u.test(source.slice(at + 1, end))) return true
  const char = source.char(source.skip(end))
  return isQuote(char) || isScalarStart(char) || char === "{" || char === "[" || /[tfn]/.test(char)
}

/** A name cut off by the end of the text. */
const isCut = (source: Source, at: number): boolean => {
  const end = source.quotedEnd(at)
  return end < 0 || source.char(source.skip(end)) === ""
}

const isScalarStart = (char: string): boolean => (char >= "0" && char <= "9") || char === "-"

const isFollowedByValue = (source: Source, at: number): boolean => {
  const next = source.skip(at + 1)
  return source.char(next) === "," && source.char(source.skip(next + 1)) !== ""
}

/**
 * Whether the text after a bracket fits the container around the closed one. A comma and a name need an outer object, a
 * comma and a value an outer array; the outermost value is followed by neither.
 */
export const canFollow = (source: Source, at: number, around: string | undefined): boolean => {
  const next = source.skip(at + 1)
  if (source.char(next) !== ",") return true
  const then = source.skip(next + 1)
  const char = source.char(then)
  if (char === "" || char === "}" || char === "]") return true
  if (around !== "object")
    return isScalarStart(char) || char === "{" || char === "[" || !source.isName(then)
  const isName = char !== "{" && char !== "[" && (source.isName(then) || isNameOnly(source, then))
  if (char === '"' && isCut(source, then)) return true
  return isName || char === "," || !(char === "{" || char === "[" || char === '"')
}
