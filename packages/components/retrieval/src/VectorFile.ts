/** Vectors of texts in a file, found by the contents of the texts: a process does not embed what another one has. */
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { writeWhole } from "./writeWhole.ts"

/** Number of the form of a file; one of another form is not read. */
const FORMAT = 1

/** "PLVC" */
const MAGIC = 0x43564c50

/** Bytes before the keys: magic, format, checksum of the rest, numbers of a vector, vectors, and padding. */
const PREFIX_BYTES = 24

/** Characters of a key, which are one byte each. */
const KEY_CHARS = 44

/** Vectors in a file: some 300 MB of 1536 numbers each. The first are dropped. */
const MAX_VECTORS = 50_000

const keyOf = (text: string): string => createHash("sha256").update(text).digest("base64")

export class VectorFile {
  private readonly path: string
  private vectors: Map<string, Float32Array> | undefined

  constructor(path: string) {
    this.path = path
  }

  /** The known vectors of texts, by text. */
  known(texts: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Float32Array>> {
    return Effect.map(this.read(), (vectors) => {
      const found = new Map<string, Float32Array>()
      for (const text of texts) {
        const vector = vectors.get(keyOf(text))
        if (vector !== undefined) found.set(text, vector)
      }
      return found
    })
  }

  /** Adds vectors and writes the file; a file that cannot be written is reported. */
  add(added: ReadonlyMap<string, Float32Array>): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      // Another process may have written since.
      this.vectors = undefined
      const vectors = yield* this.read()
      for (const [text, vector] of added) vectors.set(keyOf(text), vector)
      for (const key of vectors.keys()) {
        if (vectors.size <= MAX_VECTORS) break
        vectors.delete(key)
      }
      const failure = yield* Effect.promise(() => writeWhole(this.path, encode(vectors)))
      if (failure !== undefined) {
        yield* Effect.logWarning(`the vectors cannot be saved as ${this.path}: ${failure}`)
      }
    })
  }

  private read(): Effect.Effect<Map<string, Float32Array>> {
    if (this.vectors !== undefined) return Effect.succeed(this.vectors)
    return Effect.gen({ self: this }, function* () {
      const read = yield* Effect.promise(() => readVectors(this.path))
      if (typeof read === "string") {
        yield* Effect.logWarning(`the saved vectors ${this.path} ${read}; they are embedded again`)
      }
      this.vectors = typeof read === "string" ? new Map<string, Float32Array>() : read
      return this.vectors
    })
  }
}

/** A text is the reason why the file cannot be used. */
const readVectors = async (path: string): Promise<Map<string, Float32Array> | string> => {
  try {
    return decode(await readFile(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map()
    return `cannot be read: ${String(error)}`
  }
}

const encode = (vectors: ReadonlyMap<string, Float32Array>): Uint8Array => {
  const size = vectors.values().next().value?.length ?? 0
  const fitting = [...vectors].filter(([, { length }]) => length === size)
  const keys = new TextEncoder().encode(fitting.map(([key]) => key).join(""))
  const bytes = new Uint8Array(PREFIX_BYTES + keys.length + fitting.length * size * 4)
  bytes.set(keys, PREFIX_BYTES)
  const numbers = new Float32Array(bytes.buffer, PREFIX_BYTES + keys.length)
  fitting.forEach(([, vector], at) => numbers.set(vector, at * size))
  const sum = crc32(bytes.subarray(PREFIX_BYTES))
  new Uint32Array(bytes.buffer, 0, 5).set([MAGIC, FORMAT, sum, size, fitting.length])
  return bytes
}

const decode = (given: Uint8Array): Map<string, Float32Array> | string => {
  if (given.byteLength < PREFIX_BYTES) return "are not vectors"
  // Numbers of four bytes must start at a multiple of four.
  const bytes = given.byteOffset % 4 === 0 ? given : Uint8Array.from(given)
  const buffer = bytes.buffer as ArrayBuffer
  const [magic, format, sum, size = 0, count = 0] = new Uint32Array(buffer, bytes.byteOffset, 5)
  if (magic !== MAGIC) return "are not vectors"
  if (format !== FORMAT) return `have format ${format}, not ${FORMAT}`
  if (crc32(bytes.subarray(PREFIX_BYTES)) !== sum) return "are damaged"
  const keys = new TextDecoder().decode(
    bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + count * KEY_CHARS),
  )
  const start = bytes.byteOffset + PREFIX_BYTES + count * KEY_CHARS
  return new Map(
    Array.from({ length: count }, (_, at) => [
      keys.slice(at * KEY_CHARS, (at + 1) * KEY_CHARS),
      new Float32Array(buffer, start + at * size * 4, size),
    ]),
  )
}
