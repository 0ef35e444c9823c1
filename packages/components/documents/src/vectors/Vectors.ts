/** The vectors of an index: those nearest to a vector, by codes and an exact look at the best of them, or all exactly. */
import type { DocumentFile } from "../index/DocumentFile.ts"
import type { Condition } from "../index/Scope.ts"
import { codeOf, nearestCodes, wordsOf } from "./codes.ts"

export interface NearVector {
  readonly id: number
  /** Of the angle: 1 for the same direction. */
  readonly cosine: number
}

/** State of the vectors. */
export interface Embedding {
  readonly model: string
  readonly dimensions: number
  /** Codes whose vectors are compared; all vectors are where the codes alone miss too many. */
  readonly candidates: number | undefined
  /** Share of the nearest that codes found when it was measured. */
  readonly recall: number | undefined
  /** The highest cosine of two passages that are unrelated, as measured. */
  readonly unrelated: number | undefined
}

/** Up to so many vectors, all are compared: that takes a few milliseconds. */
export const MAX_EXACT = 4000

/** Within a narrow scope too, exact is as fast. */
const MAX_SCOPED = 2000

export class Vectors {
  private readonly file: DocumentFile
  private codes = new Uint32Array(0)
  private ids: Array<number> = []
  /** Room that searches use again. */
  private distances = new Uint16Array(0)
  /** Of the codes in memory: the model, and a number that another process's writes change. */
  private state = ""

  constructor(file: DocumentFile) {
    this.file = file
  }

  embedding(): Embedding | undefined {
    const row = this.file.get("SELECT * FROM embedding")
    if (row === undefined) return undefined
    const known = (column: string) => (row[column] === null ? undefined : Number(row[column]))
    return {
      model: String(row["model"]),
      dimensions: Number(row["dimensions"]),
      candidates: known("candidates"),
      recall: known("recall"),
      unrelated: known("unrelated"),
    }
  }

  /** Passages with a vector: at least as many as there are vectors, and quick to count. */
  passages(): number {
    return Number(this.file.get("SELECT count(*) AS n FROM embedded")!["n"])
  }

  /** The nearest passages of a scope, each with its vector's cosine, nearest first. */
  nearest(given: Float32Array, limit: number, scope: Condition): ReadonlyArray<NearVector> {
    const embedding = this.embedding()
    const query = unit(given)
    if (query === undefined || embedding?.dimensions !== query.length) return []
    const allowed = scope.values.length === 0 ? undefined : this.allowed(scope)
    const { candidates } = embedding
    if (allowed !== undefined && allowed.size <= MAX_SCOPED) {
      return this.exact(query, limit, [...allowed])
    }
    const found =
      candidates === undefined
        ? undefined
        : this.candidates(query, candidates, (id) => allowed?.has(id) !== false)
    return this.exact(query, limit, found, allowed)
  }

  /** The nearest of those with these ids, or of all. */
  exact(
    query: Float32Array,
    limit: number,
    ids?: ReadonlyArray<number>,
    allowed?: ReadonlySet<number>,
  ): ReadonlyArray<NearVector> {
    return this.exactOf([query], limit, ids, allowed)[0]!
  }

  /** The same for several vectors, in one pass. */
  exactOf(
    queries: ReadonlyArray<Float32Array>,
    limit: number,
    ids?: ReadonlyArray<number>,
    allowed?: ReadonlySet<number>,
  ): ReadonlyArray<ReadonlyArray<NearVector>> {
    const some = "SELECT id, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?))"
    const rows =
      ids === undefined
        ? this.file.each("SELECT id, vector FROM vectors")
        : this.file.each(some, JSON.stringify(ids))
    const nearest = queries.map((query) => ({ query, best: new Nearest(limit) }))
    for (const row of rows) {
      const id = Number(row["id"])
      if (allowed !== undefined && !allowed.has(id)) continue
      const vector = numbersOf(row["vector"] as Uint8Array)
      for (const { best, query } of nearest) best.take(id, dot(query, vector))
    }
    return nearest.map(({ best }) => best.all())
  }

  /** Ids by their codes. */
  candidates(
    query: Float32Array,
    wanted: number,
    isAllowed: (id: number) => boolean = () => true,
  ): ReadonlyArray<number> {
    this.load(query.length)
    const { ids } = this
    const isOpen = (at: number) => isAllowed(ids[at]!)
    if (this.distances.length < ids.length) this.distances = new Uint16Array(ids.length)
    const found = nearestCodes(
      codeOf(query),
      this.codes,
      ids.length,
      wanted,
      isOpen,
      this.distances,
    )
    return found.map((at) => ids[at]!)
  }

  private allowed(scope: Condition): ReadonlySet<number> {
    const sql = `SELECT DISTINCT vector FROM embedded WHERE 1${scope.of("embedded.chunk")}`
    return new Set(this.file.all(sql, ...scope.values).map(({ vector }) => Number(vector)))
  }

  /** Reads the codes that memory does not have. Those of removed vectors are found and then have no vector. */
  private load(dimensions: number): void {
    const { file } = this
    const { model = "" } = this.embedding() ?? {}
    const size = `${model} ${dimensions}`
    const alive = this.passages()
    const words = wordsOf(dimensions)
    const isStale = this.state !== size || this.ids.length > 2 * alive + MAX_EXACT
    if (isStale) {
      this.ids = []
      this.codes = new Uint32Array(alive * words)
      this.state = size
    }
    for (const row of file.each(
      "SELECT id, code FROM codes WHERE id > ? ORDER BY id",
      this.ids.at(-1) ?? 0,
    )) {
      const at = this.ids.length * words
      if (at + words > this.codes.length) {
        const larger = new Uint32Array(Math.ceil((at + words) * 1.2))
        larger.set(this.codes)
        this.codes = larger
      }
      bytesOf(this.codes).set(row["code"] as Uint8Array, at * 4)
      this.ids.push(Number(row["id"]))
    }
  }
}

/** The nearest of those that it has been given. */
class Nearest {
  private readonly limit: number
  private readonly best: Array<NearVector> = []
  private least = -Infinity

  constructor(limit: number) {
    this.limit = limit
  }

  take(id: number, cosine: number): void {
    if (cosine <= this.least) return
    this.best.push({ id, cosine })
    if (this.best.length < 2 * this.limit) return
    this.best.sort(nearestFirst).splice(this.limit)
    this.least = this.best.at(-1)!.cosine
  }

  all(): ReadonlyArray<NearVector> {
    return this.best.sort(nearestFirst).slice(0, this.limit)
  }
}

const nearestFirst = (a: NearVector, b: NearVector): number => b.cosine - a.cosine || a.id - b.id

export const bytesOf = (numbers: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

export const numbersOf = (bytes: Uint8Array): Float32Array =>
  bytes.byteOffset % 4 === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(Uint8Array.from(bytes).buffer)

/** The vector with length 1; undefined if it has no direction, or values that are no numbers. */
export const unit = (vector: Float32Array): Float32Array | undefined => {
  const length = lengthOf(vector)
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : undefined
}

/** In a loop: arguments of a call would be a number on the heap for each dimension. */
const lengthOf = (vector: Float32Array): number => Math.sqrt(dot(vector, vector))

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
