/** Reads the start of a value. */
import { BareText } from "./scalar/BareText.ts"
import type { Frame } from "./Frame.ts"
import { plainEnd } from "./string/plainEnd.ts"
import { quotedName, readPlainQuoted, readPlainScalar } from "./scalar/readPlainScalar.ts"
import { QuotedText } from "./string/QuotedText.ts"
import type { StringContext, StringRole } from "./string/StringContext.ts"
import type { ReaderState } from "./ReaderState.ts"
import { isComma, isQuote } from "./characters.ts"

export const readValue = (reader: ReaderState, frame: Frame, char: string): void => {
  const { source, pos } = reader
  if (char === "{" || char === "[") return reader.open(char)
  if (isQuote(char) || reader.atEscapedQuote(char)) {
    if (frame.name !== undefined && nameFollows(reader, frame)) return reader.missingValue(frame)
    return startQuoted(
      reader,
      frame.form === "whole" ? "whole" : frame.node.kind === "object" ? "member" : "item",
    )
  }
  if (isComma(char)) {
    return frame.node.kind === "object"
      ? reader.missingValue(frame)
      : reader.skipChar("extra_comma")
  }
  if (char === ":" || (char === "=" && frame.node.kind === "object"))
    return reader.skipChar("other_colon")
  if (char === "(" && frame.form !== "whole") return reader.open(char)
  if (char === "." && source.has("...", pos)) return reader.skipEllipsis()
  if (char === "…") return reader.skipChar("ellipsis")
  if (char === ")") return reader.skipChar("dropped_text")
  if (readPlainScalar(reader, frame, frame.name?.text)) return
  reader.token = new BareText(
    source,
    pos,
    frame.form === "whole" ? "whole" : frame.node.kind === "object" ? "member" : "item",
  )
}

/** Whether a name on a new line is in place of the value. */
const nameFollows = ({ source, pos }: ReaderState, { from }: Frame): boolean =>
  from >= 0 && source.slice(from, pos).includes("\n") && source.isName(pos)

export const startQuoted = (reader: ReaderState, role: StringRole): void => {
  const { frame, pos, source } = reader
  if (role === "key" ? readPlainKey(reader, frame) : readPlainText(reader, frame, role)) return
  reader.token = new QuotedText(source, pos, positionOf(reader, frame, role))
}

const readPlainKey = (reader: ReaderState, frame: Frame): boolean => {
  const { pos, source } = reader
  const found = plainEnd(source.window, pos - source.start, "key")
  if (found < 0) return false
  const end = found + source.start
  reader.pos = end + 1
  reader.setName(frame, quotedName(reader, frame, pos, end), pos, end + 1)
  return true
}

const readPlainText = (reader: ReaderState, frame: Frame, role: StringRole): boolean =>
  frame.joining === undefined && readPlainQuoted(reader, frame, role, frame.name?.text)

const positionOf = (reader: ReaderState, frame: Frame, role: StringRole): StringContext => {
  if (frame.position?.role === role) return frame.position
  const { source } = reader
  return (frame.position = {
    role,
    inObject: reader.frames.some(({ node }) => source.at(node.start) === "{"),
    inArray: reader.frames.some(({ node }) => source.at(node.start) === "["),
    inParens: frame.form === "parens" || frame.form === "call",
  })
}
