/** BM25F: how well each document says what a query says, its fields weighed and their lengths evened out. */
import type { Segment } from "./Segment.ts"

/** How a field counts. */
export interface FieldWeight {
  readonly weight: number
  /** How much a long field is discounted: 0 not at all, 1 in full. */
  readonly evening: number
}

/** What weighs a query depends on all documents: how many live, and how long their fields are. */
export interface Corpus {
  readonly segments: ReadonlyArray<Segment>
  readonly living: number
  /** Per segment, for each document and field, what one occurrence counts. */
  readonly norms: ReadonlyArray<Float64Array>
}

/** Scores of all documents of each segment, 0 for those that share no term with the query. */
export type Scores = ReadonlyArray<Float64Array>

/** Measures the living documents of some segments. A field's mean length is over the documents that have it. */
export const measure = (
  segments: ReadonlyArray<Segment>,
  fieldWeights: ReadonlyArray<FieldWeight>,
): Corpus => {
  const fieldCount = fieldWeights.length
  const sums = Array.from({ length: fieldCount }, () => 0)
  const having = Array.from({ length: fieldCount }, () => 0)
  let living = 0
  for (const { alive, lengths, size } of segments)
    for (let document = 0; document < size; document++) {
      if (alive[document] === 0) continue
      living++
      for (let field = 0; field < fieldCount; field++) {
        const length = lengths[document * fieldCount + field]!
        sums[field]! += length
        if (length > 0) having[field]!++
      }
    }
  const means = sums.map((sum, field) => (having[field] === 0 ? 1 : sum / having[field]!))
  const norms = segments.map(({ lengths }) =>
    Float64Array.from(lengths, (length, at) => {
      const field = at % fieldCount
      const { weight, evening } = fieldWeights[field]!
      return weight / (1 - evening + (evening * length) / means[field]!)
    }),
  )
  return { segments, living, norms }
}

/** In a small collection nothing is left out for being common: it costs nothing, and every hint counts. */
const FEW = 200

/**
 * Scores a query, given as terms with their weights. The same documents give the same scores, however
 * they are cut into segments. A term said by more than `commonShare` of the documents is left out: it takes
 * the longest to gather and tells the least.
 */
export const bm25 = (
  { segments, living, norms }: Corpus,
  query: ReadonlyMap<number, number>,
  saturation: number,
  commonShare: number,
): Scores => {
  const scores = segments.map(({ size }) => new Float64Array(size))
  for (const [term, weight] of query) {
    let found = 0
    for (const segment of segments) found += segment.frequency(term)
    if (found === 0 || found > Math.max(FEW, commonShare * living)) continue
    const rarity = weight * Math.log(1 + (living - found + 0.5) / (found + 0.5))
    for (let index = 0; index < segments.length; index++)
      gather(segments[index]!, norms[index]!, term, rarity, saturation, scores[index]!)
  }
  return scores
}

/** Adds what one term is worth to each document that says it. */
const gather = (
  segment: Segment,
  norms: Float64Array,
  term: number,
  rarity: number,
  saturation: number,
  into: Float64Array,
): void => {
  const { documents, fields, counts, alive, fieldCount } = segment
  const [start, end] = segment.range(term)
  for (let at = start; at < end;) {
    const document = documents[at]!
    let evened = 0
    for (; at < end && documents[at] === document; at++)
      evened += counts[at]! * norms[document * fieldCount + fields[at]!]!
    if (alive[document] === 1) into[document]! += (rarity * evened) / (saturation + evened)
  }
}
