/** The start of a value. */
import { BareText } from "./BareText.ts"
import type { Place, Position } from "./closes.ts"
import { decode } from "./decode.ts"
import type { Frame } from "./Frame.ts"
import { scalar } from "./Node.ts"
import { noValue } from "./noValue.ts"
import { plainEnd } from "./plainEnd.ts"
import { plainScalar } from "./plainScalar.ts"
import { QuotedText } from "./QuotedText.ts"
import type { Reader } from "./Reader.ts"
import { isComma, isQuote } from "./Source.ts"

export const readValue = (reader: Reader, frame: Frame, char: string): void => {
  const { source, pos } = reader
  if (char === "{" || char === "[") return reader.open(char)
  if (isQuote(char) || reader.atEscapedQuote(char)) {
    if (frame.name !== undefined && nameFollows(reader, frame)) return noValue(reader, frame)
    return startQuoted(
      reader,
      frame.form === "whole" ? "whole" : frame.node.kind === "object" ? "member" : "item",
    )
  }
  if (isComma(char)) {
    return frame.node.kind === "object" ? noValue(reader, frame) : reader.skipChar("extra_comma")
  }
  if (char === ":" || (char === "=" && frame.node.kind === "object"))
    return reader.skipChar("other_colon")
  if (char === "(" && frame.form !== "whole" && source.char(source.skip(pos + 1)) !== ")")
    return reader.open(char)
  if (char === "." && source.has("...", pos)) return reader.skipEllipsis()
  if (char === "…") return reader.skipChar("ellipsis")
  if (char === ")") return reader.skipChar("dropped_text")
  if (readForeign(reader, frame)) return
  const plain = plainScalar(source.text, pos, frame.node.kind === "object")
  if (plain !== undefined) {
    reader.pos = plain.end
    return reader.attach(frame, plain)
  }
  reader.token = new BareText(
    source,
    pos,
    frame.form === "whole" ? "whole" : frame.node.kind === "object" ? "member" : "item",
  )
}

/** On a new line, a name stands where the value should be. */
const nameFollows = (reader: Reader, frame: Frame): boolean => {
  return (
    reader.source.text.slice(frame.from, reader.pos).includes("\n") &&
    reader.source.isName(reader.pos)
  )
}

export const startQuoted = (reader: Reader, place: Place): void => {
  const { frame, source, pos } = reader
  const end = source.text[pos] === '"' ? plainEnd(source.text, pos, place) : -1
  if (end < 0 || frame.joining !== undefined) {
    reader.token = new QuotedText(source, pos, positionOf(reader, frame, place))
    return
  }
  const { text, bad } = decode(source.text.slice(pos + 1, end))
  reader.pos = end + 1
  if (place === "key") {
    if (bad) reader.mend("bad_escape", pos)
    return reader.setName(frame, text, pos, end + 1)
  }
  const node = scalar("string", text, pos, end + 1)
  node.quoted = true
  reader.attach(frame, node)
  if (bad) reader.mend("bad_escape", pos, node)
}

const positionOf = (reader: Reader, frame: Frame, place: Place): Position => {
  if (frame.position?.place === place) return frame.position
  const { text } = reader.source
  return (frame.position = {
    place,
    inObject: reader.frames.some(({ node }) => text[node.start] === "{"),
    inArray: reader.frames.some(({ node }) => text[node.start] === "["),
    inParens: frame.form === "parens" || frame.form === "call",
  })
}

const FOREIGN = /(?:True|False|None)(?=[,\]}\n])/y

/** Python's literals, as they mostly stand. */
const readForeign = (reader: Reader, frame: Frame): boolean => {
  const { source, pos } = reader
  if (!"TFN".includes(source.text[pos]!)) return false
  FOREIGN.lastIndex = pos
  if (!FOREIGN.test(source.text)) return false
  reader.pos = FOREIGN.lastIndex
  const word = source.text.slice(pos, reader.pos)
  const value = word === "None" ? null : word === "True"
  const node = scalar("literal", value, pos, reader.pos)
  reader.attach(frame, node)
  reader.mend("other_literal", pos, node, word)
  return true
}
