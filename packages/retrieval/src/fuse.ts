/** Makes one ranking of several, by the places documents have in them (reciprocal rank fusion). */
import { nearer, type Near } from "./best.ts"

/** A ranking, best first, and how much its word counts. */
export interface Ranking {
  readonly ranked: ReadonlyArray<Near>
  readonly weight: number
}

/** Small: the first few places matter much more than the rest. */
const FLATNESS = 10

export const fuse = (rankings: ReadonlyArray<Ranking>): ReadonlyArray<Near> => {
  const scores = new Map<string, number>()
  for (const { ranked, weight } of rankings)
    ranked.forEach(({ id }, place) =>
      scores.set(id, (scores.get(id) ?? 0) + weight / (FLATNESS + place + 1)),
    )
  return [...scores].map(([id, score]) => ({ id, score })).sort(nearer)
}

/** Adds a share of one ranking's scores to another's, the two being on one scale. */
export const join = (
  ranked: ReadonlyArray<Near>,
  other: ReadonlyArray<Near>,
  share: number,
): ReadonlyArray<Near> => {
  if (other.length === 0) return ranked
  const scores = new Map(ranked.map(({ id, score }) => [id, score]))
  for (const { id, score } of other) scores.set(id, (scores.get(id) ?? 0) + share * score)
  return [...scores].map(([id, score]) => ({ id, score })).sort(nearer)
}
