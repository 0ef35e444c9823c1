/** Fast path for scalars that are valid except for quotes or Python literals. `false` leaves them to the tolerant reader. */
import type { StringRole } from "../string/StringContext.ts"
import { decode } from "../string/decode.ts"
import type { Frame } from "../Frame.ts"
import { scalar } from "../Node.ts"
import { plainEnd } from "../string/plainEnd.ts"
import { plainScalarEnd, plainValue } from "./plainScalar.ts"
import type { ReaderState } from "../ReaderState.ts"
import { TICK } from "../units.ts"

/** `name`: of a member. */
export const readPlainQuoted = (
  reader: ReaderState,
  frame: Frame,
  role: StringRole,
  name: string | undefined,
): boolean => {
  const { pos, source } = reader
  const { start, window } = source
  const index = pos - start
  const found = plainEnd(window, index, role)
  if (found < 0) return false
  const end = found + start
  reader.pos = end + 1
  const body = window.slice(index + 1, found)
  const isTicked = window.charCodeAt(index) === TICK
  if (!isTicked && !body.includes("\\")) {
    reader.attachPlain(frame, body, pos, end + 1, name)
    return true
  }
  const { text, bad } = decode(body)
  const { node } = frame
  const slot = node.size
  reader.attachPlain(frame, text, pos, end + 1, name)
  if (isTicked) reader.repair("other_quotes", pos, node, slot)
  if (bad) reader.repair("bad_escape", pos, node, slot)
  return true
}

/** Decodes the name between two quotes. */
export const quotedName = (
  reader: ReaderState,
  frame: Frame,
  start: number,
  end: number,
): string => {
  const { source } = reader
  const index = start - source.start
  if (source.window.charCodeAt(index) === TICK) reader.repair("other_quotes", start, frame.node)
  const body = source.names.between(source.window, index + 1, end - source.start)
  if (!body.includes("\\")) return body
  const { text, bad } = decode(body)
  if (bad) reader.repair("bad_escape", start, frame.node)
  return text
}

/** Reads a number, a literal or a Python literal. */
export const readPlainScalar = (
  reader: ReaderState,
  frame: Frame,
  name: string | undefined,
): boolean => {
  const { pos, source } = reader
  const { start, window } = source
  const index = pos - start
  const end = plainScalarEnd(window, index, frame.node.kind === "object")
  if (end < 0) return readForeign(reader, frame, name)
  reader.pos = end + start
  reader.attachPlain(frame, plainValue(window, index, end), pos, end + start, name)
  return true
}

const FOREIGN = /(?:True|False|None)(?=[,\]}\n])/y

/** Reads a Python literal before a comma, bracket or line end. */
const readForeign = (reader: ReaderState, frame: Frame, name: string | undefined): boolean => {
  const { source, pos } = reader
  if (!"TFN".includes(source.at(pos) || "-")) return false
  const word = source.exec(FOREIGN, pos)?.[0]
  if (word === undefined) return false
  reader.pos = pos + word.length
  const value = word === "None" ? null : word === "True"
  const node = scalar("literal", value, pos, reader.pos)
  reader.attach(frame, node, name)
  reader.repair("other_literal", pos, node, word)
  return true
}
