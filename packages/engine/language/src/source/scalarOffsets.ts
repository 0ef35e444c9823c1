/** Maps each character of a scalar's value to its offset in the YAML text. */

export type ScalarStyle =
  | "PLAIN"
  | "QUOTE_SINGLE"
  | "QUOTE_DOUBLE"
  | "BLOCK_LITERAL"
  | "BLOCK_FOLDED"

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t"
const isBreak = (character: string | undefined): boolean => character === "\n" || character === "\r"

/**
 * `offsets[i]` is the offset in `text` of `value[i]`; one more entry gives the end.
 * `text` from `start` to `end` is the scalar with its quotes or block header.
 */
export const scalarOffsets = (
  text: string,
  start: number,
  end: number,
  style: ScalarStyle,
  value: string,
): ReadonlyArray<number> =>
  style === "BLOCK_LITERAL" || style === "BLOCK_FOLDED"
    ? blockOffsets(text, start, end, value)
    : flowOffsets(text, start, end, style, value)

const flowOffsets = (
  text: string,
  start: number,
  end: number,
  style: ScalarStyle,
  value: string,
): ReadonlyArray<number> => {
  const quoted = style !== "PLAIN"
  const offsets: Array<number> = []
  let at = quoted ? start + 1 : start
  let index = 0
  while (index < value.length && at < end) {
    const character = text[at]
    if (style === "QUOTE_DOUBLE" && character === "\\") {
      const escape = escapeAt(text, at)
      for (let i = 0; i < escape.gives && index < value.length; i++, index++) offsets.push(at)
      at += escape.takes
    } else if (style === "QUOTE_SINGLE" && character === "'" && text[at + 1] === "'") {
      offsets.push(at)
      index++
      at += 2
    } else if (startsFold(text, at)) {
      const fold = readFold(text, at)
      for (let i = 0; i < fold.gives && index < value.length; i++, index++) offsets.push(at)
      at = fold.end
    } else {
      offsets.push(at)
      index++
      at++
    }
  }
  while (offsets.length < value.length) offsets.push(at)
  offsets.push(Math.min(at, end))
  return offsets
}

/** Whether a line break follows here, after blanks that folding drops. */
const startsFold = (text: string, at: number): boolean => {
  let next = at
  while (isBlank(text[next])) next++
  return isBreak(text[next])
}

/** A run of line breaks: one is a space, n are n - 1 line breaks. */
const readFold = (text: string, at: number): { readonly gives: number; readonly end: number } => {
  let end = at
  let breaks = 0
  while (isBlank(text[end]) || isBreak(text[end])) {
    if (text[end] === "\n") breaks++
    end++
  }
  return { gives: Math.max(1, breaks - 1), end }
}

const escapeLengths: { readonly [letter: string]: number } = { x: 4, u: 6, U: 10 }

/** A backslash in double quotes: how much text it takes and how many characters it gives. */
const escapeAt = (text: string, at: number): { readonly takes: number; readonly gives: number } => {
  const letter = text[at + 1] ?? ""
  if (isBreak(letter)) {
    let end = at + 1
    while (isBlank(text[end]) || isBreak(text[end])) end++
    return { takes: end - at, gives: 0 }
  }
  const takes = escapeLengths[letter] ?? 2
  if (letter !== "U") return { takes, gives: 1 }
  const code = Number.parseInt(text.slice(at + 2, at + 10), 16)
  return { takes, gives: code > 0xff_ff ? 2 : 1 }
}

const blockOffsets = (
  text: string,
  start: number,
  end: number,
  value: string,
): ReadonlyArray<number> => {
  const header = text.indexOf("\n", start)
  const offsets: Array<number> = []
  let at = header === -1 || header >= end ? end : header + 1
  const indent = blockIndent(text, at, end, value)
  let index = 0
  let lineStart = true
  while (index < value.length && at < end) {
    if (lineStart) {
      for (let i = 0; i < indent && text[at] === " "; i++) at++
      lineStart = false
    }
    const character = text[at]
    const wanted = value[index]
    if (character === wanted) {
      offsets.push(at)
      index++
      at++
      lineStart = character === "\n"
    } else if (isBreak(character)) {
      // A folded block turns a single break into a space, and drops one of several.
      if (wanted === " ") {
        offsets.push(at)
        index++
      }
      at++
      lineStart = character === "\n"
    } else at++
  }
  while (offsets.length <= value.length) offsets.push(Math.min(at, end))
  return offsets
}

/** The indent that every line of the block loses: that of the first line with text, less its value's. */
const blockIndent = (text: string, at: number, end: number, value: string): number => {
  const first = value.split("\n").find((line) => line.trim() !== "") ?? ""
  for (let line = at; line < end;) {
    const stop = text.indexOf("\n", line)
    const lineEnd = stop === -1 ? end : stop
    const found = text.slice(line, lineEnd)
    if (found.trim() !== "") {
      return Math.max(0, countBlanks(found) - countBlanks(first))
    }
    line = lineEnd + 1
  }
  return 0
}

const countBlanks = (line: string): number => line.length - line.replace(/^ +/, "").length
