/** Reads a file of text from disk, within a size. */
import type { Stats } from "node:fs"
import * as fs from "node:fs/promises"
import { openInside, OutsideRoots } from "@planloom/plugin/roots"
import type { Diagnostic } from "./Diagnostic.ts"
import { fileDiagnostic, sourceFile, type SourceFile } from "./SourceFile.ts"

/** Far above a handwritten file; a larger one is a mistake or an attack. */
export const MAX_BYTES = 1024 * 1024

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
