/** Ranks documents by the angle between a vector and theirs; the default compares all. */
import type { Allowed } from "./Collection.ts"
import { compareScores, type ScoredDocument } from "./selectTop.ts"

/** Vectors have length 1; a document may have several, of which the nearest counts. */
export interface VectorRanking {
  /** Replaces those of the document. */
  readonly put: (id: string, vectors: ReadonlyArray<Float32Array>) => void
  readonly remove: (id: string) => void
  /** The nearest, best first: scores are cosines above 0. */
  readonly nearest: (
    query: Float32Array,
    isAllowed: Allowed,
    limit: number,
  ) => ReadonlyArray<ScoredDocument>
}

export class ExactRanking implements VectorRanking {
  private readonly vectors = new Map<string, ReadonlyArray<Float32Array>>()

  put(id: string, vectors: ReadonlyArray<Float32Array>): void {
    this.vectors.set(id, vectors)
  }

  remove(id: string): void {
    this.vectors.delete(id)
  }

  nearest(query: Float32Array, isAllowed: Allowed, limit: number): ReadonlyArray<ScoredDocument> {
    const found: Array<ScoredDocument> = []
    for (const [id, vectors] of this.vectors) {
      if (isAllowed?.(id) === false) continue
      let score = 0
      for (const vector of vectors) score = Math.max(score, dot(query, vector))
      if (score > 0) found.push({ id, score })
    }
    return found.sort(compareScores).slice(0, limit)
  }
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
