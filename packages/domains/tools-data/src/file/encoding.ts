/** The encoding of a text file, and its text. */
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { createGunzip, constants, gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { failed, refused, type DataFailed } from "../DataFailed.ts"
import type { DataFile } from "./DataFile.ts"

export const UTF_8 = "utf-8"
/** What text is that is no UTF-8: the encoding of Western Windows programs. */
export const WESTERN = "windows-1252"

const isGzip = ({ head }: DataFile): boolean => head[0] === 0x1f && head[1] === 0x8b

/** A bound for the unpacked head: 64 KiB of zeros unpack to 64 MiB. */
const MAX_HEAD_BYTES = 1024 ** 2

/** The first bytes of a file, unpacked. */
export const headOf = (file: DataFile): Uint8Array => {
  if (!isGzip(file)) return file.head
  try {
    const finishFlush = constants.Z_SYNC_FLUSH
    return gunzipSync(file.head, { finishFlush }).subarray(0, MAX_HEAD_BYTES)
  } catch {
    // The database reports what is wrong with the file.
    return new Uint8Array()
  }
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder(UTF_8, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Encoding by byte-order mark, else UTF-8 if the head is, else Windows-1252. */
export const encodingOf = (
  file: DataFile,
  declared: string | undefined,
): Effect.Effect<string, DataFailed> => {
  if (declared !== undefined) return labelOf(declared)
  const head = headOf(file)
  if (head[0] === 0xff && head[1] === 0xfe) return Effect.succeed("utf-16le")
  if (head[0] === 0xfe && head[1] === 0xff) return Effect.succeed("utf-16be")
  if (head.includes(0))
    return Effect.fail(failed(`${file.path} is not a text file: it holds binary data`))
  return Effect.succeed(isUtf8(head) ? UTF_8 : WESTERN)
}

const labelOf = (label: string): Effect.Effect<string, DataFailed> => {
  try {
    return Effect.succeed(new TextDecoder(label).encoding)
  } catch {
    return Effect.fail(
      refused(
        `unknown encoding ${JSON.stringify(label)}: name one such as utf-8, utf-16le, windows-1252 or windows-1251`,
      ),
    )
  }
}

/** The whole text of a file in pieces, unpacked, without its byte-order mark. */
export const textOf = async function* (file: DataFile, encoding: string): AsyncIterable<string> {
  const packed = createReadStream(file.real)
  const bytes: Readable = isGzip(file) ? packed.pipe(createGunzip()) : packed
  packed.once("error", (error) => bytes.destroy(error))
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield decoder.decode(chunk as Uint8Array, { stream: true })
  yield decoder.decode()
}
