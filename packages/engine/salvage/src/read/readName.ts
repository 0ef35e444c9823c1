/** Reads names and colons, and what models write instead of them. */
import { BareText } from "./scalar/BareText.ts"
import type { Frame } from "./Frame.ts"
import type { Kind, Node } from "./Node.ts"
import type { ReaderState } from "./ReaderState.ts"
import { startQuoted } from "./readValue.ts"
import { isComma, isQuote } from "./characters.ts"

export const readName = (reader: ReaderState, frame: Frame, char: string): void => {
  if (isComma(char)) {
    frame.hasStrayComma = true
    return reader.skipChar("extra_comma")
  }
  if (char === "." && reader.source.has("...", reader.pos)) return reader.skipEllipsis()
  if (isQuote(char) || reader.atEscapedQuote(char)) return startQuoted(reader, "key")
  if (char === "{" || char === "[") return openInName(reader, frame, char)
  if (char === ":" || char === "=" || char === "(" || char === ")")
    return reader.skipChar("dropped_text")
  reader.token = new BareText(reader.source, reader.pos, "key")
}

/**
 * Handles a bracket in place of a name: closers are missing before it. It belongs to the nearest outer list, preferably one
 * with items of its kind.
 */
const openInName = (reader: ReaderState, frame: Frame, char: "{" | "["): void => {
  const { frames, pos } = reader
  const list = listAround(frames, char === "{" ? "object" : "array")
  if (frame.node.size === 0 && frames.length === 1 && char === "{")
    // `{{…}}`, as in prompt templates.
    reader.skipChar("extra_opener")
  // A comma behind `{` separates an empty object, whose closers are missing, from the next item of an outer list.
  else if (
    frame.node.size === 0 &&
    (!frame.hasStrayComma || list < 0) &&
    (list !== frames.length - 2 || char === "[")
  )
    reader.convertToArray(frame)
  // Without an outer list it is a separate value after this one.
  else {
    frame.comma = -1
    while (frames.length - 1 > list) reader.popMissing(pos)
    if (list >= 0) reader.frame.mode = "value"
  }
}

const listAround = (frames: ReadonlyArray<Frame>, kind: Kind): number => {
  const isList = ({ node, form }: Frame) => node.kind === "array" && form !== "whole"
  const alike = frames.findLastIndex(
    (each) => isList(each) && (each.node.part(0) as Node | undefined)?.kind === kind,
  )
  return alike >= 0 ? alike : frames.findLastIndex(isList)
}

export const readColon = (reader: ReaderState, frame: Frame, char: string): void => {
  frame.mode = "value"
  if (char === ":") reader.pos++
  else if (
    char === "=" ||
    char === "：" ||
    (char === "-" && reader.source.char(reader.pos + 1) === ">")
  ) {
    reader.repair("other_colon", reader.pos)
    reader.pos +=
      char === "：" ? 1 : char === "-" || reader.source.char(reader.pos + 1) === ">" ? 2 : 1
  } else if (char === "," || char === ";") reader.missingValue(frame)
  else reader.repair("missing_colon", reader.pos)
  frame.from = reader.pos
}
