/** Measures, cuts, wraps and sanitizes text for a terminal. */

let segmenter: Intl.Segmenter | undefined

/** Created on first use, because that takes 20 ms and most texts are plain ASCII. */
const graphemesOf = (text: string) =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text)

const plainAscii = /^[\u0020-\u007e]*$/
// oxlint-disable-next-line no-control-regex -- colors are control characters
const escape = /\u001b\[[0-9;]*m/g
const invisible = /^[\p{Mark}\p{Control}\p{Default_Ignorable_Code_Point}]+$/u
const pictures = /\p{Emoji_Presentation}|\ufe0f/u
/** East Asian Wide and Fullwidth (Unicode Standard Annex 11), in the ranges that fonts draw two cells wide. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

const cells = (grapheme: string): number => {
  if (invisible.test(grapheme)) return 0
  return pictures.test(grapheme) || wide.test(grapheme) ? 2 : 1
}

/** Returns the width of a text in cells; color codes have none. */
export const widthOf = (text: string): number => {
  const bare = text.replace(escape, "")
  if (plainAscii.test(bare)) return bare.length
  let width = 0
  for (const { segment } of graphemesOf(bare)) width += cells(segment)
  return width
}

/** Cuts a plain text to at most `width` cells, with `…` at the cut. */
export const cut = (text: string, width: number): string => {
  if (width <= 0) return ""
  if (text.length <= width && plainAscii.test(text)) return text
  if (widthOf(text) <= width) return text
  let kept = ""
  let room = width - 1
  for (const { segment } of graphemesOf(text)) {
    room -= cells(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Pads a text with spaces to `width` cells, on the right (or left). */
export const pad = (text: string, width: number, to: "left" | "right" = "left"): string => {
  const space = " ".repeat(Math.max(0, width - widthOf(text)))
  return to === "left" ? text + space : space + text
}

/** Wraps words to lines of at most `width` cells; keeps existing line breaks. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  if (width === Infinity) return text.split("\n")
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(20, width)).rows.map((row) => row.text))
}

export interface Wrapped {
  /** `from` is the index in the line of the row's first word. */
  readonly rows: ReadonlyArray<{ readonly text: string; readonly from: number }>
  /** The blanks before each row but the first. */
  readonly hanging: string
}

/** Wraps one line; with `hanging` it continues an earlier row, and every row starts with that. */
export const wrapLine = (line: string, width: number, hanging?: string): Wrapped => {
  if (hanging === undefined && widthOf(line) <= width) {
    return { rows: [{ text: line, from: 0 }], hanging: "" }
  }
  const indent = hanging ?? /^\s*(?:[-*•]\s+|\d+\.\s+)?/.exec(line)![0]
  const next = hanging ?? " ".repeat(Math.min(indent.length, width / 2))
  const start = hanging === undefined ? indent.length : 0
  const rows: Array<{ text: string; from: number }> = []
  let current = { text: indent, from: 0 }
  let empty = true
  for (const { 0: word, index } of line.slice(start).matchAll(/\S+/g)) {
    if (!empty && widthOf(current.text) + 1 + widthOf(word) > width) {
      rows.push(current)
      current = { text: next, from: start + index }
      empty = true
    }
    current.text += empty ? word : ` ${word}`
    empty = false
  }
  rows.push(current)
  return { rows, hanging: next }
}

/** Matches whole CSI and OSC sequences, so that their arguments do not remain as text. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g
/** Matches control characters except the line break, and bidirectional controls. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Sanitizes text of a model, a tool or a file for a terminal: removes escape sequences and control
 * characters, and replaces tabs by spaces. Line breaks stay.
 */
export const visible = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(sequences, "").replaceAll("\t", "  ").replace(controls, "")

/** Sanitizes text to one line. */
export const oneLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim()
