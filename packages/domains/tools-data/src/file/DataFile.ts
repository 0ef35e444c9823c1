/** A file that can be read as a table: an existing regular file with a known extension. */
import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { openInside, OutsideRoots, type InsideFile } from "@planloom/plugin/roots"
import { failed, refused, type DataFailed } from "../DataFailed.ts"
import { Roots } from "./Roots.ts"

export const dataFormats = ["csv", "tsv", "xlsx", "parquet", "json", "ndjson"] as const
export type DataFormat = (typeof dataFormats)[number]

/** Whether the database reads it as CSV; of a workbook it reads a copy. */
export const isDelimited = (format: DataFormat): format is "csv" | "tsv" | "xlsx" =>
  format === "csv" || format === "tsv" || format === "xlsx"

/** Formats by file extension. `.gz` may follow text formats. */
const endings: { readonly [ending: string]: DataFormat } = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".tab": "tsv",
  ".xlsx": "xlsx",
  ".parquet": "parquet",
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
}

export interface DataFile {
  readonly path: string
  /** Absolute, symbolic links resolved: the only path the database can open. */
  readonly real: string
  readonly format: DataFormat
  readonly size: number
  readonly modified: number
  /** SHA-256 over size, head, middle and tail: cheap at any size, the same on every machine. */
  readonly digest: string
  /** The first and the last 64 KiB. */
  readonly head: Uint8Array
  readonly tail: Uint8Array
}

const SAMPLE_BYTES = 64 * 1024

const formatOf = (name: string): DataFormat | undefined => {
  const lower = name.toLowerCase()
  const bare = lower.endsWith(".gz") ? lower.slice(0, -3) : lower
  const format = endings[path.extname(bare)]
  const isPacked = format === "parquet" || format === "xlsx"
  return bare !== lower && isPacked ? undefined : format
}

const sample = async (
  file: FileHandle,
  size: number,
): Promise<Pick<DataFile, "head" | "tail" | "digest">> => {
  const read = async (position: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(SAMPLE_BYTES),
      0,
      SAMPLE_BYTES,
      position,
    )
    return buffer.subarray(0, bytesRead)
  }
  const head = await read(0)
  const middle = await read(Math.floor(size / 2))
  const tail = await read(Math.max(0, size - SAMPLE_BYTES))
  const hash = createHash("sha256").update(String(size))
  for (const part of [head, middle, tail]) hash.update(part)
  return { head, tail, digest: hash.digest("hex").slice(0, 32) }
}

const reason = (error: unknown, name: string): DataFailed => {
  if (error instanceof OutsideRoots) return refused(error.message)
  const code = (error as NodeJS.ErrnoException).code
  if (code === "ENOENT" || code === "ENOTDIR") return failed(`there is no file ${name}`)
  if (code === "EACCES" || code === "EPERM")
    return failed(`${name} may not be read: permission denied`)
  return failed(`${name} cannot be read: ${(error as Error).message}`)
}

/** What a file holds by its first bytes, with the advice for a file with another ending. */
const signatures: ReadonlyArray<{
  readonly bytes: ReadonlyArray<number>
  readonly format?: DataFormat
  readonly advice: string
}> = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    format: "xlsx",
    advice: "holds a ZIP archive, such as an Excel workbook: a workbook needs the ending .xlsx",
  },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    advice: "holds an old (.xls) or encrypted Excel workbook: save it as .xlsx or CSV",
  },
  {
    bytes: [0x50, 0x41, 0x52, 0x31],
    format: "parquet",
    advice: "holds Parquet: give it the ending .parquet",
  },
]

const misnamed = (format: DataFormat, head: Uint8Array): string | undefined => {
  const found = signatures.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))
  if (found !== undefined) return found.format === format ? undefined : found.advice
  return format === "xlsx" ? "is not an Excel workbook (.xlsx)" : undefined
}

/** Matches an HTML page that a server sent instead of the file. */
const isWebPage = (head: Uint8Array): boolean =>
  /^[\uFEFF\s]*(?:<!--[^]*?-->\s*)?<(?:!doctype\s+html|html[\s>])/i.test(
    new TextDecoder().decode(head.subarray(0, 1024)),
  )

/** Inspects the file a user named. Rejects URLs, patterns, folders, devices and unknown formats. */
export const dataFile = Effect.fnUntraced(function* (name: string) {
  if (name === "" || name.includes("\0"))
    return yield* refused("the path of a table must not be empty")
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name))
    return yield* refused(`${name} is an address, not a file: download it and name the file`)
  if (/[*?]/.test(name))
    return yield* refused(`${name} is a pattern: name one file (or rename it, without * and ?)`)
  const roots = yield* Roots
  return yield* Effect.acquireUseRelease(
    Effect.tryPromise({
      try: () => openInside(name, roots),
      catch: (error) => reason(error, name),
    }),
    (opened) => inspectFile(name, opened),
    ({ handle }) => Effect.promise(() => handle.close()),
  )
})

const inspectFile = Effect.fnUntraced(function* (
  name: string,
  { handle, real, stats }: InsideFile,
): Effect.fn.Return<DataFile, DataFailed> {
  if (stats.isDirectory()) return yield* refused(`${name} is a folder: name one file`)
  if (!stats.isFile()) return yield* refused(`${name} is not a regular file`)
  const format = formatOf(name)
  if (format === undefined)
    return yield* refused(
      `${name} has an unknown format: known endings are ${Object.keys(endings).join(", ")}`,
    )
  if (/[*?]/.test(real)) return yield* refused(`${name} leads to a file with * or ? in its path`)
  if (stats.size === 0) return yield* failed(`${name} is empty`)
  const sampled = yield* Effect.tryPromise({
    try: () => sample(handle, stats.size),
    catch: (error) => reason(error, name),
  })
  if (format !== "parquet" && isWebPage(sampled.head))
    return yield* failed(
      `${name} holds a web page (HTML), not a table: a download may have given an error or a login page`,
    )
  const advice = misnamed(format, sampled.head)
  if (advice !== undefined) return yield* failed(`${name} ${advice}`)
  return { path: name, real, format, size: stats.size, modified: stats.mtimeMs, ...sampled }
})
