/** Skips blanks and comments between tokens. */
import type { ReaderState } from "./ReaderState.ts"
import { isSpace } from "./characters.ts"
import { pastBlanks } from "./units.ts"

/** Returns `false` at the end of the text. */
export const skipBlanks = (reader: ReaderState): boolean => {
  const { source } = reader
  for (;;) {
    reader.pos = pastBlanks(source.window, reader.pos - source.start) + source.start
    const char = source.char(reader.pos)
    if (char === "") return false
    if (isSpace(char)) reader.pos++
    else if (!skipComment(reader, char) && !skipEscapedBlank(reader, char)) return true
  }
}

const skipComment = (reader: ReaderState, char: string): boolean => {
  if (char !== "/" && char !== "#" && char !== "<") return false
  const { source, pos } = reader
  let end = -1
  if (char === "/" && source.char(pos + 1) === "*") end = past(reader, "*/", pos + 2)
  else if (char === "<" && source.has("<!--", pos)) end = past(reader, "-->", pos + 4)
  else if (char === "#" || (char === "/" && source.char(pos + 1) === "/"))
    end = lineEnd(reader, pos)
  if (end < 0) return false
  reader.repair("comment", pos)
  reader.pos = end
  return true
}

const past = (reader: ReaderState, mark: string, from: number): number => {
  const at = reader.source.find(mark, from)
  return at < 0 ? reader.source.length : at + mark.length
}

const LINE_END = /[\r\n]/g

const lineEnd = (reader: ReaderState, from: number): number => {
  const { source } = reader
  const found = source.exec(LINE_END, from)
  if (found !== null) return found.index + source.start
  // Throws if more text may arrive.
  source.find("\n", from)
  return source.length
}

/** Skips `\n` between tokens: the text was encoded twice. */
const skipEscapedBlank = (reader: ReaderState, char: string): boolean => {
  if (char !== "\\") return false
  const bracket = reader.source.escapedBlank(reader.pos) === 1
  if (bracket) {
    reader.pos++
    return true
  }
  if (!/[nrt]/.test(reader.source.char(reader.pos + 1))) return false
  reader.source.escapedBlanks = true
  reader.pos += 2
  return true
}
