/** Gives ranked documents scores from 0 to 1 that are comparable between queries. */
import type { Match } from "./Collection.ts"
import type { ScoredDocument } from "./selectTop.ts"

/** Score of a document that shares one word with the query, however common; one that shares only pieces of words has less. */
const SHARED_WORD = 0.1

/**
 * A score is the share of the query's words that the document has, each weighted by its rarity, or the cosine of their
 * vectors if that is larger. A document never has a lower score than one that is ranked after it.
 */
export const nearness = (
  ranked: ReadonlyArray<ScoredDocument>,
  words: ReadonlyArray<Match>,
  grams: ReadonlyArray<Match>,
  /** Their scores are cosines. */
  byVectors: ReadonlyArray<ScoredDocument>,
): ReadonlyArray<ScoredDocument> => {
  const [wordShares, gramShares] = [sharesOf(words), sharesOf(grams)]
  const cosines = new Map(byVectors.map(({ id, score }) => [id, Math.min(1, score)]))
  const scores = ranked.map(({ id }) => {
    const share = wordShares.get(id)
    const byWords =
      share === undefined
        ? SHARED_WORD * (gramShares.get(id) ?? 0)
        : SHARED_WORD + (1 - SHARED_WORD) * share
    return Math.max(byWords, cosines.get(id) ?? 0)
  })
  for (let at = scores.length - 2; at >= 0; at--)
    scores[at] = Math.max(scores[at]!, scores[at + 1]!)
  return ranked.map(({ id }, at) => ({ id, score: scores[at]! }))
}

/** The larger share of each document: its own, or that of its best example. */
const sharesOf = (matches: ReadonlyArray<Match>): ReadonlyMap<string, number> => {
  const shares = new Map<string, number>()
  for (const { ranked, whole } of matches)
    for (const { id, score } of ranked)
      shares.set(id, Math.max(shares.get(id) ?? 0, Math.min(1, score / whole)))
  return shares
}
