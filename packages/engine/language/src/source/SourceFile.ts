/** A file's text and its lines. */
import type { Diagnostic, Edit, Position } from "./Diagnostic.ts"

export interface SourceFile {
  /** As the user gave it; diagnostics print it. */
  readonly path: string
  readonly text: string
  /** Offset of each line's first character. */
  readonly lineStarts: ReadonlyArray<number>
}

/** Makes a file of text in memory: standard input, a test, an editor's buffer. */
export const sourceFile = (path: string, text: string): SourceFile => {
  const lineStarts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    lineStarts.push(at + 1)
  }
  return { path, text, lineStarts }
}

/** The line and column of an offset; an offset past the end counts as the end. */
export const positionAt = (file: SourceFile, offset: number): Position => {
  const at = Math.max(0, Math.min(offset, file.text.length))
  let low = 0
  let high = file.lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (file.lineStarts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return { line: low + 1, col: at - file.lineStarts[low]! + 1, offset: at }
}

/** Text in place of the characters `from` to `to`. */
export const edit = (file: SourceFile, from: number, to: number, text: string): Edit => ({
  file: file.path,
  start: positionAt(file, from),
  end: positionAt(file, to),
  text,
})

/** The text of a line, counted from 1, without its line break. */
export const lineText = (file: SourceFile, line: number): string => {
  const start = file.lineStarts[line - 1]
  if (start === undefined) return ""
  const end = file.lineStarts[line] ?? file.text.length + 1
  return file.text.slice(start, end - 1).replace(/\r$/, "")
}

const start: Position = { line: 1, col: 1, offset: 0 }

/** A diagnostic for a file as a whole. */
export const fileDiagnostic = (
  path: string,
  code: string,
  message: string,
  help?: string,
): Diagnostic => ({
  code,
  severity: "error",
  message,
  file: path,
  start,
  end: start,
  ...(help === undefined ? {} : { help }),
})

export const isSourceFile = (value: SourceFile | Diagnostic): value is SourceFile => "text" in value
