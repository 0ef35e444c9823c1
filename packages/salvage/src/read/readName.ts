/** Names and colons, and what models write in their place. */
import { BareText } from "./BareText.ts"
import { Frame } from "./Frame.ts"
import { Node } from "./Node.ts"
import type { Reader } from "./Reader.ts"
import { becomeArray, noValue } from "./noValue.ts"
import { startQuoted } from "./readValue.ts"
import { isComma, isQuote } from "./Source.ts"

export const readName = (reader: Reader, frame: Frame, char: string): void => {
  if (isComma(char)) return reader.skipChar("extra_comma")
  if (char === "." && reader.source.has("...", reader.pos)) return reader.skipEllipsis()
  if (isQuote(char) || reader.atEscapedQuote(char)) return startQuoted(reader, "key")
  if (char === "{" || char === "[") return openInName(reader, frame, char)
  if (char === ":" || char === "=" || char === "(" || char === ")" || isBold(reader, char))
    return reader.skipChar("dropped_text")
  reader.token = new BareText(reader.source, reader.pos, "key")
}

/** `**"a"**: 1` */
const isBold = ({ source, pos }: Reader, char: string): boolean =>
  char === "*" && (source.char(pos + 1) === "*" || isQuote(source.char(pos + 1)))

/** A bracket where a name should be. */
const openInName = (reader: Reader, frame: Frame, char: string): void => {
  const below = reader.frames[reader.frames.length - 2]
  if (frame.node.size === 0 && below === undefined && char === "{") {
    // `{{…}}`, as in the templates that prompts are made of.
    reader.mend("extra_opener", reader.pos)
    reader.pos++
  } else if (below?.node.kind === "array" && char === "{") {
    reader.mend("missing_closer", reader.pos)
    reader.pop(reader.pos)
  } else if (frame.node.size === 0) becomeArray(reader, frame)
  else if (frame.node.items.at(-1)!.kind === "array" && char === "[") {
    // `"k": [1], [2]`: the array went on.
    reader.mend("extra_closer", reader.pos)
    reopen(reader, frame)
    reader.pos++
  } else reader.skipChar("dropped_text")
}

/** `{"a", 1}`: neither a name nor, beside a text, an item of a set comes next, so the comma stands for the colon. */
const isPair = ({ source, pos }: Reader, { name }: Frame): boolean => {
  if (name?.quoted !== true) return false
  return /^[-\d{[]/.test(source.char(source.skip(pos + 1)))
}

/** The last member, a list, had been closed too early. */
const reopen = (reader: Reader, frame: Frame): void => {
  const slot = frame.node.items.length - 1
  const closed = frame.node.items[slot]!
  const list = new Node("array", closed.start)
  for (const item of closed.items) list.add(item)
  list.parent = frame.node
  list.slot = slot
  frame.node.items[slot] = list
  reader.frames.push(new Frame(list, "bracket"))
}

export const readColon = (reader: Reader, frame: Frame, char: string): void => {
  if (char === "*" && frame.name?.quoted === true) return reader.skipChar("dropped_text")
  frame.mode = "value"
  if (char === ":") reader.pos++
  else if (
    char === "=" ||
    char === "：" ||
    (char === "-" && reader.source.char(reader.pos + 1) === ">")
  ) {
    reader.mend("other_colon", reader.pos)
    reader.pos +=
      char === "：" ? 1 : char === "-" || reader.source.char(reader.pos + 1) === ">" ? 2 : 1
  } else if (char === "," && isPair(reader, frame)) reader.skipChar("other_colon")
  else if (char === "," || char === ";") noValue(reader, frame)
  else reader.mend("missing_colon", reader.pos)
  frame.from = reader.pos
}
