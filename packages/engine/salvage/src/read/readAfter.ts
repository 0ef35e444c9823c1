/** Reads what follows a value: a comma or its absence, a `+`, a colon that makes the value a name. */
import type { Frame } from "./Frame.ts"
import { Node } from "./Node.ts"
import type { ReaderState } from "./ReaderState.ts"
import { isComma, isQuote } from "./characters.ts"

export const readAfter = (reader: ReaderState, frame: Frame, char: string): void => {
  const { source, pos } = reader
  if (isComma(char)) {
    frame.comma = pos
    frame.mode = frame.node.kind === "object" ? "name" : "value"
    reader.pos++
    return
  }
  if (char === "+" && isQuote(source.char(source.skip(pos + 1)))) {
    const last = frame.node.items.at(-1)
    if (last?.kind !== "string") return reader.skipChar("dropped_text")
    frame.joining = last
    frame.mode = "value"
    reader.pos++
    return
  }
  if (char === ":" && frame.node.kind === "array") return impliedObject(reader, frame)
  if (char === ":" || char === ")" || char === "=") return reader.skipChar("dropped_text")
  if (char === "\\" && !reader.atEscapedQuote(char)) return reader.skipChar("dropped_text")
  reader.repair("missing_comma", pos)
  frame.mode = frame.node.kind === "object" ? "name" : "value"
}

/**
 * Handles a name among the items of a list. After other items it belongs to the nearest outer object: the closers of the
 * lists are missing. Without such an object, or as the first item, it starts an object that lost its brackets.
 */
const impliedObject = (reader: ReaderState, frame: Frame): void => {
  const last = frame.node.items.at(-1)
  if (last?.kind !== "string" || frame.form === "whole") return reader.skipChar("dropped_text")
  const { frames } = reader
  const outer = frames.findLastIndex(({ node }) => node.kind === "object")
  frame.node.items.pop()
  if (outer >= 0 && frames[outer]!.form === "bracket" && frame.node.size > 0) {
    while (frames.length - 1 > outer) reader.popMissing(last.start)
    return reader.setName(reader.frame, String(last.value), last.start, last.end)
  }
  const object = new Node("object", last.start)
  reader.repair("extra_opener", last.start, object)
  reader.push(object, "implied")
  reader.frame.name = { text: String(last.value), start: last.start, end: last.end, quoted: false }
  reader.frame.mode = "colon"
}
