/** Copies of files that the database can read: UTF-8, and the same cells in every row. */
import { createHash } from "node:crypto"
import { createWriteStream, rmSync } from "node:fs"
import { access, rename, rm } from "node:fs/promises"
import * as path from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { failed, type DataFailed } from "../DataFailed.ts"
import { copiesFolder } from "../duckdb/spill.ts"
import type { DataFile } from "./DataFile.ts"
import { textOf } from "./encoding.ts"
import { recordsOf } from "./records.ts"
import { regularRows } from "./regularRows.ts"
import type { Copy } from "./Source.ts"
import { sheetOf } from "./workbook.ts"

/** A packed file of a few megabytes could fill the disk. */
const MAX_COPY_BYTES = 4 * 1024 ** 3

const limited = async function* (text: AsyncIterable<string>): AsyncIterable<string> {
  let bytes = 0
  for await (const piece of text) {
    bytes += Buffer.byteLength(piece)
    if (bytes > MAX_COPY_BYTES) throw new Error("it holds more than 4 GiB of text")
    yield piece
  }
}

const contentOf = async (file: DataFile, copy: Copy): Promise<AsyncIterable<string>> => {
  if ("sheet" in copy) {
    const { records } = await sheetOf(file, copy.sheet)
    return limited(regularRows(records(), copy.layout))
  }
  const { encoding, layout } = copy
  const text = limited(textOf(file, encoding))
  return layout === undefined ? text : regularRows(recordsOf(text, layout.delimiter), layout)
}

const nameOf = ({ digest, modified }: DataFile, copy: Copy): string =>
  createHash("sha256")
    .update(JSON.stringify([digest, modified, copy]))
    .digest("hex")
    .slice(0, 32)

/** Copies that no step reads and that stay for the next step of a run; the least recently used goes first. */
export const MAX_IDLE_COPIES = 8

/** How many steps read a copy at present, by its path; least recently used first. */
const readers = new Map<string, number>()

const take = (file: DataFile, copy: Copy): string => {
  const target = path.join(copiesFolder(), `${nameOf(file, copy)}.csv`)
  const users = readers.get(target) ?? 0
  readers.delete(target)
  readers.set(target, users + 1)
  return target
}

const release = (target: string): void => {
  readers.set(target, (readers.get(target) ?? 1) - 1)
  const idle = [...readers].flatMap(([copy, users]) => (users > 0 ? [] : [copy]))
  for (const copy of idle.slice(0, Math.max(0, idle.length - MAX_IDLE_COPIES))) {
    readers.delete(copy)
    rmSync(copy, { force: true })
  }
}

let count = 0

const write = async (
  file: DataFile,
  copy: Copy,
  target: string,
  signal: AbortSignal,
): Promise<string> => {
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists) return target
  // Another step may write the same copy.
  const draft = `${target}.${count++}`
  try {
    const content = await contentOf(file, copy)
    await pipeline(Readable.from(content), createWriteStream(draft), { signal })
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return target
}

/** The file, or its copy, for the database. The copy is there until the scope ends, and is made again when it is needed later. */
export const readable = (
  file: DataFile,
  copy: Copy | undefined,
): Effect.Effect<DataFile, DataFailed, Scope.Scope> => {
  if (copy === undefined) return Effect.succeed(file)
  const lease = Effect.acquireRelease(
    Effect.sync(() => take(file, copy)),
    (target) => Effect.sync(() => release(target)),
  )
  return Effect.flatMap(lease, (target) =>
    Effect.tryPromise({
      try: async (signal) => ({ ...file, real: await write(file, copy, target, signal) }),
      catch: (error) => failed(`${file.path} cannot be read: ${(error as Error).message}`),
    }),
  )
}
