/** Parts of a ZIP archive by name, as office documents keep them; nothing is unpacked to disk. */
import { inflateRawSync } from "node:zlib"

/** Characters of the whole archive's directory are few; a part may unpack to no more than this. */
const LARGEST_PART = 4 * 1024 * 1024

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50

/**
 * The parts whose names are wanted, in the archive's order. Undefined where the bytes are no archive; a part that is broken,
 * encrypted or too large is left out. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export const zipEntries = (
  bytes: Buffer,
  wanted: (name: string) => boolean,
): ReadonlyMap<string, Buffer> | undefined => {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== END) return undefined
  const found = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) break
    const length = bytes.readUInt16LE(at + 28)
    const name = bytes.toString("utf8", at + 46, at + 46 + length)
    const part = wanted(name) ? partAt(bytes, at) : undefined
    if (part !== undefined) found.set(name, part)
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}

const partAt = (bytes: Buffer, entry: number): Buffer | undefined => {
  const encrypted = (bytes.readUInt16LE(entry + 8) & 1) === 1
  const method = bytes.readUInt16LE(entry + 10)
  const packed = bytes.readUInt32LE(entry + 20)
  const local = bytes.readUInt32LE(entry + 42)
  if (encrypted || local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL)
    return undefined
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const data = bytes.subarray(from, from + packed)
  if (data.length !== packed) return undefined
  if (method === 0) return packed > LARGEST_PART ? undefined : data
  if (method !== 8) return undefined
  try {
    return inflateRawSync(data, { maxOutputLength: LARGEST_PART })
  } catch {
    return undefined
  }
}
