/** What follows a value: a comma or none, a `+`, a colon that makes it a name. */
import type { Frame } from "./Frame.ts"
import { isContainer, Node } from "./Node.ts"
import type { Reader } from "./Reader.ts"
import { plain } from "./plain.ts"
import { isComma, isQuote, isWord } from "./Source.ts"

export const readAfter = (reader: Reader, frame: Frame, char: string): void => {
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
  if (skipGluedWord(reader, frame)) return
  reader.mend("missing_comma", pos)
  frame.mode = frame.node.kind === "object" ? "name" : "value"
}

/** `[{"a": 1}s, …]`: letters at a closing bracket, in a list, are a slip; an item would stand apart. */
const skipGluedWord = (reader: Reader, frame: Frame): boolean => {
  const { source, pos } = reader
  const isGlued = frame.node.kind === "array" && "}]".includes(source.at(pos - 1) || "-")
  if (!isGlued || !isWord(source.at(pos))) return false
  let end = pos
  while (end < pos + LETTERS && isWord(source.char(end))) end++
  const word = source.slice(pos, end)
  const next = source.char(end)
  if (plain(word, false).kind !== "string" || isQuote(next) || next === ":" || next === "(")
    return false
  reader.mend("dropped_text", pos, frame.node, word)
  reader.pos = end
  return true
}

/** Longest slip that is passed over. */
const LETTERS = 32

/** `{"l": [1, "a": 2}`: a name among the items of a list belongs to the object around it, for the list was not closed. */
const nameOfOuter = (reader: Reader, frame: Frame, last: Node): boolean => {
  const { frames } = reader
  const outer = frames[frames.length - 2]
  const isAmongScalars =
    frame.form === "bracket" &&
    outer?.node.kind === "object" &&
    outer.form === "bracket" &&
    frame.node.items.length > 1 &&
    frame.node.items.every((item) => !isContainer(item))
  if (!isAmongScalars) return false
  frame.node.items.pop()
  reader.mend("missing_closer", last.start, frame.node)
  reader.pop(last.start)
  reader.setName(outer, String(last.value), last.start, last.end)
  return true
}

/** `["a": 1]`: an item with a name is a member of an object that lost its brackets. */
const impliedObject = (reader: Reader, frame: Frame): void => {
  const last = frame.node.items.at(-1)
  if (last?.kind !== "string" || frame.form === "whole") return reader.skipChar("dropped_text")
  if (nameOfOuter(reader, frame, last)) return
  frame.node.items.pop()
  const object = new Node("object", last.start)
  reader.mend("extra_opener", last.start, object)
  reader.push(object, "implied")
  reader.frame.name = { text: String(last.value), start: last.start, end: last.end, quoted: false }
  reader.frame.mode = "colon"
}
