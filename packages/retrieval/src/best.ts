/** The best few of many scores, without sorting them all. */
import type { Scores } from "./bm25.ts"

/** A document and how near it is; comparable within one list only. */
export interface Near {
  readonly id: string
  readonly score: number
}

/** Better first; equal scores in the order of ids, so an answer does not depend on who came first. */
export const nearer = (a: Near, b: Near): number =>
  b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The score of the entry at place `limit`, or 0 when there are fewer: the root of a heap of the best so far. */
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
 * The documents behind the best `limit` scores above 0, best first, each with its best score. `ownerOf`
 * says whose a score is.
 */
export const best = (
  scores: Scores,
  ownerOf: (segment: number, at: number) => string,
  limit: number,
): ReadonlyArray<Near> => {
  const least = threshold(scores, limit)
  const kept: Array<Near> = []
  scores.forEach((ofSegment, segment) => {
    for (let at = 0; at < ofSegment.length; at++) {
      const score = ofSegment[at]!
      if (score > 0 && score >= least) kept.push({ id: ownerOf(segment, at), score })
    }
  })
  const seen = new Set<string>()
  return kept
    .sort(nearer)
    .slice(0, limit)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
}
