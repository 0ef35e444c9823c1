/** The quick way through scalars that nothing is wrong with, but perhaps their quotes or words. `false`: there is a doubt. */
import type { Place } from "./closes.ts"
import { decode } from "./decode.ts"
import type { Frame } from "./Frame.ts"
import { scalar } from "./Node.ts"
import { plainEnd } from "./plainEnd.ts"
import { plainScalarEnd, plainValue } from "./plainScalar.ts"
import type { Reader } from "./Reader.ts"
import { TICK } from "./units.ts"

/** `name`: of a member. */
export const readPlainQuoted = (
  reader: Reader,
  frame: Frame,
  place: Place,
  name: string | undefined,
): boolean => {
  const { pos, source } = reader
  const end = plainEnd(source.text, pos, place)
  if (end < 0) return false
  reader.pos = end + 1
  const body = source.text.slice(pos + 1, end)
  const isTicked = source.text.charCodeAt(pos) === TICK
  if (!isTicked && !body.includes("\\")) {
    reader.attachPlain(frame, body, pos, end + 1, name)
    return true
  }
  const { text, bad } = decode(body)
  if (!isTicked && !bad) {
    reader.attachPlain(frame, text, pos, end + 1, name)
    return true
  }
  const node = scalar("string", text, pos, end + 1)
  node.quoted = true
  reader.attach(frame, node, name)
  if (isTicked) reader.mend("other_quotes", pos, node)
  if (bad) reader.mend("bad_escape", pos, node)
  return true
}

/** The name between two quotes. */
export const quotedName = (reader: Reader, frame: Frame, start: number, end: number): string => {
  const { names, source } = reader
  if (source.text.charCodeAt(start) === TICK) reader.mend("other_quotes", start, frame.node)
  const body = names.between(source.text, start + 1, end)
  if (!body.includes("\\")) return body
  const { text, bad } = decode(body)
  if (bad) reader.mend("bad_escape", start, frame.node)
  return text
}

/** A number, a literal, or one of Python's literals. */
export const readPlainScalar = (
  reader: Reader,
  frame: Frame,
  name: string | undefined,
): boolean => {
  const { pos, source } = reader
  const end = plainScalarEnd(source.text, pos, frame.node.kind === "object")
  if (end < 0) return readForeign(reader, frame, name)
  reader.pos = end
  reader.attachPlain(frame, plainValue(source.text, pos, end), pos, end, name)
  return true
}

const FOREIGN = /(?:True|False|None)(?=[,\]}\n])/y

/** Python's literals, as they mostly stand. */
const readForeign = (reader: Reader, frame: Frame, name: string | undefined): boolean => {
  const { source, pos } = reader
  if (!"TFN".includes(source.text[pos] ?? "-")) return false
  FOREIGN.lastIndex = pos
  if (!FOREIGN.test(source.text)) return false
  reader.pos = FOREIGN.lastIndex
  const word = source.text.slice(pos, reader.pos)
  const value = word === "None" ? null : word === "True"
  const node = scalar("literal", value, pos, reader.pos)
  reader.attach(frame, node, name)
  reader.mend("other_literal", pos, node, word)
  return true
}
