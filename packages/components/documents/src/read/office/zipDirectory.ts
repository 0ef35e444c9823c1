/** The parts of a ZIP archive, as office documents keep them; nothing is unpacked to disk. */
import { inflateRawSync } from "node:zlib"

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50

export interface ZipEntry {
  readonly name: string
  /** Bytes in the archive. */
  readonly packed: number
  /** At most `limit` bytes; what is encrypted or packed in another way is broken, too. */
  readonly unpack: (limit: number) => Buffer | "broken" | "too large"
}

/** The parts of an archive, in its order. Undefined where the bytes are no archive. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export const zipDirectory = (bytes: Buffer): ReadonlyArray<ZipEntry> | undefined => {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== END) return undefined
  const found: Array<ZipEntry> = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) break
    const entry = at
    const length = bytes.readUInt16LE(at + 28)
    found.push({
      name: bytes.toString("utf8", at + 46, at + 46 + length),
      packed: bytes.readUInt32LE(at + 20),
      unpack: (limit) => unpackedAt(bytes, entry, limit),
    })
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}

const unpackedAt = (
  bytes: Buffer,
  entry: number,
  limit: number,
): ReturnType<ZipEntry["unpack"]> => {
  const encrypted = (bytes.readUInt16LE(entry + 8) & 1) === 1
  const method = bytes.readUInt16LE(entry + 10)
  const packed = bytes.readUInt32LE(entry + 20)
  const local = bytes.readUInt32LE(entry + 42)
  if (encrypted || local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) return "broken"
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const data = bytes.subarray(from, from + packed)
  if (data.length !== packed) return "broken"
  if (method === 0) return packed > limit ? "too large" : data
  if (method !== 8) return "broken"
  try {
    return inflateRawSync(data, { maxOutputLength: limit })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too large" : "broken"
  }
}
