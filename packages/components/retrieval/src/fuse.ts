/** Combines rankings by the documents' ranks (reciprocal rank fusion). */
import { compareScores, type ScoredDocument } from "./selectTop.ts"

/** A ranking, best first, and its weight. */
export interface Ranking {
  readonly ranked: ReadonlyArray<ScoredDocument>
  readonly weight: number
}

/** RRF's k. Small, so that the first ranks matter most. */
const RANK_CONSTANT = 10

export const fuse = (rankings: ReadonlyArray<Ranking>): ReadonlyArray<ScoredDocument> => {
  const scores = new Map<string, number>()
  for (const { ranked, weight } of rankings)
    ranked.forEach(({ id }, rank) =>
      scores.set(id, (scores.get(id) ?? 0) + weight / (RANK_CONSTANT + rank + 1)),
    )
  return [...scores].map(([id, score]) => ({ id, score })).sort(compareScores)
}

/** Adds a share of one ranking's scores to another's; both must use the same scale. */
export const addScaled = (
  ranked: ReadonlyArray<ScoredDocument>,
  other: ReadonlyArray<ScoredDocument>,
  share: number,
): ReadonlyArray<ScoredDocument> => {
  if (other.length === 0) return ranked
  const scores = new Map(ranked.map(({ id, score }) => [id, score]))
  for (const { id, score } of other) scores.set(id, (scores.get(id) ?? 0) + share * score)
  return [...scores].map(([id, score]) => ({ id, score })).sort(compareScores)
}
