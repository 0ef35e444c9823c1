/** Handles a closing bracket: it closes the innermost container, an outer one, or none. */
import type { Frame } from "./Frame.ts"
import type { ReaderState } from "./ReaderState.ts"
import { canFollow } from "./canFollow.ts"

export const closeAt = (reader: ReaderState, char: "}" | "]"): void => {
  const { frames, source, pos } = reader
  const kind = char === "}" ? "object" : "array"
  const top = frames.length - 1
  let match = top
  while (match >= 0 && !(frames[match]!.node.kind === kind && frames[match]!.form === "bracket"))
    match--
  if (match < 0) return withoutMatch(reader)
  if (canFollow(source, pos, frames[match - 1]?.node.kind)) {
    while (frames.length - 1 > match) reader.popMissing(pos)
    return reader.close()
  }
  // The text after it belongs to the container that it would close.
  if (match === top) return closesOuter(reader) ? reader.close() : drop(reader)
  return drop(reader)
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
const withoutMatch = (reader: ReaderState): void => {
  const { frames, source, pos } = reader
  const frame = reader.frame
  if (frame.form !== "bracket" || !canFollow(source, pos, frames[frames.length - 2]?.node.kind)) {
    return drop(reader)
  }
  return swap(reader)
}
