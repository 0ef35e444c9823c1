/**
 * Fast path for text that is valid or nearly so: names, plain scalars, commas and brackets. Decides exactly as the tolerant
 * steps do, and leaves every doubtful case to them.
 */
import type { Frame } from "./Frame.ts"
import { bareNameEnd, plainEnd } from "./string/plainEnd.ts"
import type { ReaderState } from "./ReaderState.ts"
import { quotedName, readPlainQuoted, readPlainScalar } from "./scalar/readPlainScalar.ts"
import { isCertainClose } from "./isCertainClose.ts"
import * as unit from "./units.ts"

export const readFast = (reader: ReaderState): void => {
  while (reader.frames.length > 0) {
    const { frame } = reader
    if (frame.form === "whole" || frame.joining !== undefined) return
    const { start, window } = reader.source
    const index = unit.pastBlanks(window, reader.pos - start)
    reader.pos = index + start
    if (!stepFast(reader, frame, window.charCodeAt(index))) return
  }
}

/** Returns `false` if the next step needs the tolerant reader. */
const stepFast = (reader: ReaderState, frame: Frame, first: number): boolean => {
  if (first === unit.CLOSE_OBJECT || first === unit.CLOSE_LIST)
    return closeFast(reader, frame, first)
  switch (frame.mode) {
    case "after":
      return readPlainAfter(reader, frame, first)
    case "name":
      return readPlainMember(reader, frame, first)
    case "value":
      return frame.name === undefined && frame.node.kind === "array" && readPlainItem(reader, frame)
  }
  return false
}

const readPlainAfter = (reader: ReaderState, frame: Frame, first: number): boolean => {
  const { node } = frame
  if (first === unit.COMMA) {
    frame.comma = reader.pos
    reader.pos++
  } else if (first === unit.QUOTE || first === unit.OPEN_OBJECT || first === unit.OPEN_LIST)
    reader.repair("missing_comma", reader.pos, node)
  else return false
  frame.mode = node.kind === "object" ? "name" : "value"
  return true
}

/** Reads a name, its colon and, if plain, its value. */
const readPlainMember = (reader: ReaderState, frame: Frame, first: number): boolean => {
  const { pos, source } = reader
  const { start, window } = source
  const index = pos - start
  const isQuoted = first === unit.QUOTE || first === unit.TICK
  const colon = isQuoted ? plainEnd(window, index, "key") + 1 : bareNameEnd(window, index)
  if (colon <= 0) return false
  const name = isQuoted
    ? quotedName(reader, frame, pos, colon - 1 + start)
    : source.names.between(window, index, colon)
  if (!isQuoted) reader.repair("unquoted_key", pos, frame.node, name)
  const from = colon + 1
  const value = unit.pastBlanks(window, from)
  reader.pos = value + start
  const isBehind = value === from || (value === from + 1 && window[from] === " ")
  // On a new line it may be the next name.
  if (isBehind && readScalar(reader, frame, "member", name)) return true
  frame.name = { text: name, start: pos, end: colon + start, quoted: true }
  frame.mode = "value"
  frame.from = from + start
  return isBehind && openFast(reader)
}

const readPlainItem = (reader: ReaderState, frame: Frame): boolean =>
  readScalar(reader, frame, "item", undefined) || openFast(reader)

const readScalar = (
  reader: ReaderState,
  frame: Frame,
  role: "member" | "item",
  name: string | undefined,
): boolean => {
  const { pos, source } = reader
  const code = source.window.charCodeAt(pos - source.start)
  return code === unit.QUOTE || code === unit.TICK
    ? readPlainQuoted(reader, frame, role, name)
    : readPlainScalar(reader, frame, name)
}

const openFast = (reader: ReaderState): boolean => {
  const { pos, source } = reader
  const code = source.window.charCodeAt(pos - source.start)
  if (code === unit.OPEN_OBJECT) reader.open("{")
  else if (code === unit.OPEN_LIST) reader.open("[")
  else return false
  return true
}

const closeFast = (reader: ReaderState, frame: Frame, closer: number): boolean => {
  const { frames, pos, source } = reader
  const isOwn = closer === (frame.node.kind === "object" ? unit.CLOSE_OBJECT : unit.CLOSE_LIST)
  if (!isOwn || frame.form !== "bracket" || frame.name !== undefined) return false
  if (!isCertainClose(source.window, pos - source.start, frames[frames.length - 2]?.node.kind))
    return false
  reader.pop(pos + 1)
  reader.pos = pos + 1
  return true
}
