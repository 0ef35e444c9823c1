/** A FAISS index whose every call is checked first: an exception inside FAISS ends the process. */
import type { Faiss, NativeIndex } from "./loadFaiss.ts"

/** `flat` compares all vectors; `hnsw` follows a graph, which is fast and takes long to build. */
export type FaissKind = "flat" | "hnsw"

/** The refusal of a call. */
export class FaissRefused extends Error {}

export const MAX_DIMENSIONS = 65_536

/** Numbers of an index: 8 GB. */
export const MAX_NUMBERS = 2 ** 31

/** Vectors of one call: they are copied to a plain array. */
const BATCH = 4096

/** Neighbors of a vector in the graph. */
const HNSW = "HNSW32"

export class CheckedIndex {
  readonly dimensions: number
  private readonly native: NativeIndex

  private constructor(native: NativeIndex, dimensions: number) {
    this.native = native
    this.dimensions = dimensions
  }

  static empty(
    { Index, IndexFlatIP, MetricType }: Faiss,
    kind: FaissKind,
    dimensions: number,
  ): CheckedIndex {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS)
      throw new FaissRefused(`vectors have from 1 to ${MAX_DIMENSIONS} numbers, not ${dimensions}`)
    const native =
      kind === "flat"
        ? new IndexFlatIP(dimensions)
        : Index.fromFactory(dimensions, HNSW, MetricType.METRIC_INNER_PRODUCT)
    return new CheckedIndex(native, dimensions)
  }

  /** Reads what `toBytes` of this process gave, and nothing else: damaged bytes could end it. */
  static of({ Index }: Faiss, bytes: Uint8Array, dimensions: number): CheckedIndex {
    return new CheckedIndex(Index.fromBuffer(Buffer.from(bytes)), dimensions)
  }

  get size(): number {
    return this.native.ntotal()
  }

  /** Their labels are the next whole numbers. All or none are added. */
  add(vectors: ReadonlyArray<Float32Array>): void {
    for (const vector of vectors) this.check(vector)
    if ((this.size + vectors.length) * this.dimensions > MAX_NUMBERS)
      throw new FaissRefused(`an index has at most ${MAX_NUMBERS} numbers`)
    for (let from = 0; from < vectors.length; from += BATCH)
      this.native.add(vectors.slice(from, from + BATCH).flatMap((vector) => [...vector]))
  }

  /** Labels of the nearest by inner product, nearest first; as many as there are. */
  search(query: Float32Array, count: number): ReadonlyArray<number> {
    this.check(query)
    if (!Number.isInteger(count) || count < 0)
      throw new FaissRefused(`a number of neighbors is a whole number from 0, not ${count}`)
    const wanted = Math.min(count, this.size)
    if (wanted === 0) return []
    // A graph may find fewer: their labels are −1.
    return this.native.search([...query], wanted).labels.filter((label) => label >= 0)
  }

  toBytes(): Uint8Array {
    return this.native.toBuffer()
  }

  private check(vector: Float32Array): void {
    if (!(vector instanceof Float32Array) || vector.length !== this.dimensions)
      throw new FaissRefused(`a vector has ${this.dimensions} numbers here`)
    if (!vector.every(Number.isFinite))
      throw new FaissRefused("a vector has a value that is not a finite number")
  }
}
