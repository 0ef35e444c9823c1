/** Selects the documents with the highest scores without sorting all of them. */
import type { Scores } from "./bm25.ts"

/** A document and its score; of a ranking, comparable within it only. */
export interface ScoredDocument {
  readonly id: string
  readonly score: number
}

/** Orders by score, then id, so that results do not depend on the order of insertion. */
export const compareScores = (a: ScoredDocument, b: ScoredDocument): number =>
  b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The score at rank `limit`, or 0 if there are fewer scores: the root of a heap of the best so far. */
const threshold = (scores: Scores, limit: number): number => {
  const heap = new Float64Array(limit)
  for (const ofSegment of scores)
    for (const score of ofSegment) {
      if (score <= heap[0]!) continue
      let at = 0
      for (let child = 1; child < limit; child = 2 * at + 1) {
        if (child + 1 < limit && heap[child + 1]! < heap[child]!) child++
        if (heap[child]! >= score) break
        heap[at] = heap[child]!
        at = child
      }
      heap[at] = score
    }
  return heap[0]!
}

/**
 * The documents of the best `limit` scores above 0, best first, each with its best score. `ownerOf` returns the
 * document of a score.
 */
export const selectTop = (
  scores: Scores,
  ownerOf: (segment: number, at: number) => string,
  limit: number,
): ReadonlyArray<ScoredDocument> => {
  const least = threshold(scores, limit)
  const kept: Array<ScoredDocument> = []
  scores.forEach((ofSegment, segment) => {
    for (let at = 0; at < ofSegment.length; at++) {
      const score = ofSegment[at]!
      if (score > 0 && score >= least) kept.push({ id: ownerOf(segment, at), score })
    }
  })
  const seen = new Set<string>()
  return kept
    .sort(compareScores)
    .slice(0, limit)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
}
