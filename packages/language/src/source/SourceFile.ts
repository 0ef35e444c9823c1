/** A file's text and its lines, and reading it from disk. */
import type { Stats } from "node:fs"
import * as fs from "node:fs/promises"
import { openInside, OutsideRoots } from "@planloom/plugin/roots"
import type { Diagnostic, Edit, Position } from "./Diagnostic.ts"

export interface SourceFile {
  /** As the user gave it; diagnostics print it. */
  readonly path: string
  readonly text: string
  /** Offset of each line's first character. */
  readonly lineStarts: ReadonlyArray<number>
}

/** Far above a handwritten file; a larger one is a mistake or an attack. */
export const MAX_BYTES = 1024 * 1024

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

const reasons: { readonly [code: string]: string } = {
  ENOENT: "the file does not exist",
  ENOTDIR: "a folder in this path is a file",
  EISDIR: "this is a folder, not a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "the path is a loop of links",
}

/** Reads a file as UTF-8. `path` is what diagnostics print; `from` is where it is, when that differs. */
export const readSourceFile = async (
  path: string,
  from: string = path,
): Promise<SourceFile | Diagnostic> => {
  try {
    return await textOf(path, await fs.stat(from), () => fs.readFile(from))
  } catch (error) {
    return unreadable(path, error)
  }
}

/** Reads a file inside the roots, once all links are followed; undefined for one outside. */
export const readInside = async (
  path: string,
  roots: ReadonlyArray<string>,
): Promise<SourceFile | Diagnostic | undefined> => {
  try {
    const { handle, stats } = await openInside(path, roots)
    try {
      return await textOf(path, stats, () => handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return error instanceof OutsideRoots ? undefined : unreadable(path, error)
  }
}

const textOf = async (
  path: string,
  stats: Stats,
  read: () => Promise<Uint8Array>,
): Promise<SourceFile | Diagnostic> => {
  if (stats.isDirectory()) return fileDiagnostic(path, "PL0001", reasons["EISDIR"]!)
  if (!stats.isFile()) return fileDiagnostic(path, "PL0001", "this is not a regular file")
  if (stats.size > MAX_BYTES) return tooLarge(path, stats.size)
  const bytes = await read()
  return bytes.byteLength > MAX_BYTES ? tooLarge(path, bytes.byteLength) : decodeText(path, bytes)
}

const unreadable = (path: string, error: unknown): Diagnostic => {
  const code = (error as NodeJS.ErrnoException).code ?? ""
  return fileDiagnostic(path, "PL0001", reasons[code] ?? `it cannot be read (${code || error})`)
}

const tooLarge = (path: string, bytes: number): Diagnostic =>
  fileDiagnostic(
    path,
    "PL0001",
    `the file has ${(bytes / MAX_BYTES).toFixed(1)} MiB; at most 1 MiB is read`,
    "split it: prompts, catalogs, templates and hooks live in files of their own",
  )

const decodeText = (path: string, bytes: Uint8Array): SourceFile | Diagnostic => {
  try {
    return sourceFile(path, new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return fileDiagnostic(path, "PL0001", "the file is not UTF-8 text", "save it as UTF-8")
  }
}

export const isSourceFile = (value: SourceFile | Diagnostic): value is SourceFile => "text" in value
