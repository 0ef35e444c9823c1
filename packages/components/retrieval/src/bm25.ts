/** BM25F scoring: term matches per document with field weights and length normalization. */
import type { Segment } from "./Segment.ts"
import { isOptional } from "./text/terms.ts"

/** Weight and length normalization of a field. */
export interface FieldWeight {
  readonly weight: number
  /** BM25's b: discount of long fields, from 0 (off) to 1 (full). */
  readonly lengthPenalty: number
}

/** Statistics over all live documents: their number and the lengths of their fields. */
export interface Corpus {
  readonly segments: ReadonlyArray<Segment>
  readonly liveCount: number
  /** Per segment: the weight of one occurrence for each document and field. */
  readonly norms: ReadonlyArray<Float64Array>
}

/** Scores of all documents per segment; 0 without a common term. */
export type Scores = ReadonlyArray<Float64Array>

export interface QueryScores {
  readonly scores: Scores
  /** The score of a document that has each word of the query once, in a field of weight 1 and mean length. */
  readonly whole: number
}

/** Computes the statistics. A field's mean length covers only the documents that have it. */
export const measure = (
  segments: ReadonlyArray<Segment>,
  fieldWeights: ReadonlyArray<FieldWeight>,
): Corpus => {
  const fieldCount = fieldWeights.length
  const sums = Array.from({ length: fieldCount }, () => 0)
  const having = Array.from({ length: fieldCount }, () => 0)
  let liveCount = 0
  for (const { alive, arrays, size } of segments)
    for (let document = 0; document < size; document++) {
      if (alive[document] === 0) continue
      liveCount++
      for (let field = 0; field < fieldCount; field++) {
        const length = arrays.lengths[document * fieldCount + field]!
        sums[field]! += length
        if (length > 0) having[field]!++
      }
    }
  const means = sums.map((sum, field) => (having[field] === 0 ? 1 : sum / having[field]!))
  const norms = segments.map(({ arrays }) =>
    Float64Array.from(arrays.lengths, (length, at) => {
      const field = at % fieldCount
      const { weight, lengthPenalty } = fieldWeights[field]!
      return weight / (1 - lengthPenalty + (lengthPenalty * length) / means[field]!)
    }),
  )
  return { segments, liveCount, norms }
}

/** Terms with at most this many documents are never skipped as too common: small collections stay exact. */
const NEVER_COMMON_DOCUMENTS = 200

/**
 * Scores a query, given as weighted terms. Scores do not depend on how documents are split into segments. Terms in
 * more than `commonShare` of the documents are skipped: they cost the most and distinguish the least.
 */
export const bm25 = (
  { segments, liveCount, norms }: Corpus,
  query: ReadonlyMap<number, number>,
  saturation: number,
  commonShare: number,
): QueryScores => {
  const scores = segments.map(({ size }) => new Float64Array(size))
  let rarities = 0
  for (const [term, weight] of query) {
    let found = 0
    for (const segment of segments) found += segment.frequency(term)
    if (found > Math.max(NEVER_COMMON_DOCUMENTS, commonShare * liveCount)) continue
    const rarity = weight * Math.log(1 + (liveCount - found + 0.5) / (found + 0.5))
    if (found > 0 || !isOptional(term)) rarities += rarity
    if (found === 0) continue
    for (let index = 0; index < segments.length; index++)
      addTermScores(segments[index]!, norms[index]!, term, rarity, saturation, scores[index]!)
  }
  return { scores, whole: rarities / (1 + saturation) }
}

/** Adds the score of one term to each document that contains it. */
const addTermScores = (
  segment: Segment,
  norms: Float64Array,
  term: number,
  rarity: number,
  saturation: number,
  into: Float64Array,
): void => {
  const { alive, fieldCount } = segment
  const { documents, fields, counts } = segment.arrays
  const [start, end] = segment.range(term)
  for (let at = start; at < end;) {
    const document = documents[at]!
    let frequency = 0
    for (; at < end && documents[at] === document; at++)
      frequency += counts[at]! * norms[document * fieldCount + fields[at]!]!
    if (alive[document] === 1) into[document]! += (rarity * frequency) / (saturation + frequency)
  }
}
