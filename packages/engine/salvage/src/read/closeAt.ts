/** Handles a closing bracket: it closes the innermost container, an outer one, or none. */
import type { Frame } from "./Frame.ts"
import type { ReaderState } from "./ReaderState.ts"
import { canFollow } from "./canFollow.ts"
import type { Source } from "./Source.ts"

export const closeAt = (reader: ReaderState, char: "}" | "]"): void => {
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
  { source, pos, frame }: ReaderState,
  around: string | undefined,
): boolean => {
  if (around === "array" || frame.form !== "bracket" || frame.node.items.at(-1)?.kind !== "object")
    return false
  const next = source.skip(pos + 1)
  const char = source.char(next)
  return char === "]" || (char === "," && source.char(source.skip(next + 1)) === "{")
}

/** Whether the text after it belongs to an outer list: brackets are missing after this one. */
const closesOuter = ({ frames, source, pos }: ReaderState): boolean => {
  const then = source.char(source.skip(source.skip(pos + 1) + 1))
  if (then !== "{" && then !== "[") return false
  const isList = ({ node }: Frame) => node.kind === "array"
  return frames.at(-1)!.node.kind === "object" || frames.slice(0, -1).some(isList)
}

const swap = (reader: ReaderState): void => {
  reader.repair("swapped_closer", reader.pos)
  reader.closers.swapped++
  reader.close()
}

const drop = (reader: ReaderState): void => {
  reader.closers.extra++
  reader.repair("extra_closer", reader.pos)
  reader.pos++
}

/** `{"a": 1]`: closes the innermost container if the text after it allows that. */
const withoutMatch = (reader: ReaderState, char: string): void => {
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

const isFollowedByValue = (source: Source, at: number): boolean => {
  const next = source.skip(at + 1)
  return source.char(next) === "," && source.char(source.skip(next + 1)) !== ""
}
