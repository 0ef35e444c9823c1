/** The bytes of a saved index: a header, and arrays that are used as they are read. */
import { crc32 } from "node:zlib"
import type { IndexDocument } from "@planloom/plugin/effect"
import type { Batch } from "./Collection.ts"
import { documentNumbers, Segment, type SegmentArrays } from "./Segment.ts"

/**
 * Number of the form of a file and of the rules by which texts become terms; a file of another one is built again.
 * Raise it with each change of either.
 */
const FORMAT = 1

/** "PLIX"; its bytes are reversed on a machine of the other byte order. */
const MAGIC = 0x58494c50

/** Bytes before the header: magic, format, checksum of the rest, length of the header. */
const PREFIX_BYTES = 16

const arrayNames = [
  "lengths",
  "terms",
  "starts",
  "documents",
  "fields",
  "counts",
  "documentCounts",
] as const satisfies ReadonlyArray<keyof SegmentArrays>

const arrayType = (name: (typeof arrayNames)[number], size: number) =>
  name === "documents"
    ? documentNumbers(size)
    : name === "fields" || name === "counts"
      ? Uint8Array
      : Uint32Array

/** What a saved index holds: ids and facets of its documents, and one batch per collection, or none. */
export interface IndexContent {
  readonly ids: ReadonlyArray<readonly [id: string, facets?: IndexDocument["facets"]]>
  readonly batches: ReadonlyArray<Batch | undefined>
}

interface SegmentHeader {
  readonly size: number
  readonly fieldCount: number
  /** Elements per array, in the order of `arrayNames`. */
  readonly elements: ReadonlyArray<number>
}

interface Header {
  /** What the index was built from. */
  readonly key: string
  readonly ids: IndexContent["ids"]
  readonly batches: ReadonlyArray<{
    readonly owners: ReadonlyArray<string>
    readonly words: SegmentHeader
    readonly grams: SegmentHeader
  } | null>
}

const aligned = (bytes: number): number => (bytes + 7) & ~7

export const encodeIndex = (key: string, { batches, ids }: IndexContent): Uint8Array => {
  const arrays: Array<Uint32Array | Uint16Array | Uint8Array> = []
  const headerOf = (segment: Segment): SegmentHeader => {
    const own = arrayNames.map((name) => segment.arrays[name])
    arrays.push(...own)
    const { fieldCount, size } = segment
    return { size, fieldCount, elements: own.map(({ length }) => length) }
  }
  const header: Header = {
    key,
    ids,
    batches: batches.map((batch) =>
      batch === undefined
        ? null
        : { owners: batch.owners, words: headerOf(batch.words), grams: headerOf(batch.grams) },
    ),
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  let size = aligned(PREFIX_BYTES + text.length)
  for (const { byteLength } of arrays) size += aligned(byteLength)
  const bytes = new Uint8Array(size)
  bytes.set(text, PREFIX_BYTES)
  let at = aligned(PREFIX_BYTES + text.length)
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += aligned(array.byteLength)
  }
  const sum = crc32(bytes.subarray(PREFIX_BYTES))
  new Uint32Array(bytes.buffer, 0, 4).set([MAGIC, FORMAT, sum, text.length])
  return bytes
}

/** The content of a file for a key; a text is the reason why it cannot be used. */
export const decodeIndex = (key: string, given: Uint8Array): IndexContent | string => {
  if (given.byteLength < PREFIX_BYTES) return "is not an index"
  // Arrays of four bytes must start at a multiple of four.
  const bytes = given.byteOffset % 8 === 0 ? given : Uint8Array.from(given)
  const buffer = bytes.buffer as ArrayBuffer
  const [magic, format, sum, length] = new Uint32Array(buffer, bytes.byteOffset, 4)
  if (magic !== MAGIC) return "is not an index"
  if (format !== FORMAT) return `has format ${format}, not ${FORMAT}`
  if (crc32(bytes.subarray(PREFIX_BYTES)) !== sum) return "is damaged"
  const text = bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + length!)
  const header = JSON.parse(new TextDecoder().decode(text)) as Header
  if (header.key !== key) return "was built from other documents"
  let at = aligned(PREFIX_BYTES + length!)
  const segmentOf = ({ elements, fieldCount, size }: SegmentHeader): Segment => {
    const read = arrayNames.map((name, index) => {
      const array = new (arrayType(name, size))(buffer, bytes.byteOffset + at, elements[index])
      at += aligned(array.byteLength)
      return [name, array] as const
    })
    return new Segment(size, fieldCount, Object.fromEntries(read) as unknown as SegmentArrays)
  }
  return {
    ids: header.ids,
    batches: header.batches.map((batch) =>
      batch === null
        ? undefined
        : {
            owners: batch.owners,
            words: segmentOf(batch.words),
            grams: segmentOf(batch.grams),
          },
    ),
  }
}
