/** Searches by words and by meaning, and joins both rankings. */
import type { DocumentFile } from "../index/DocumentFile.ts"
import { conditionOf } from "../index/Scope.ts"
import {
  isFound,
  searchWords,
  weighPassages,
  type Hit,
  type SearchOptions,
  type SearchResult,
} from "../index/searchWords.ts"
import type { Vectors } from "./Vectors.ts"

/** Weights of the rankings. */
export interface RankWeights {
  readonly words: number
  readonly meaning: number
}

const EVEN: RankWeights = { words: 1, meaning: 1 }

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): a ranking adds 1 / (60 + rank), so that
 * no first place outweighs a good place in both.
 */
const RANK_CONSTANT = 60

/** Passages of each ranking. */
const CANDIDATES = 100

export const searchBoth = (
  file: DocumentFile,
  vectors: Vectors,
  query: string,
  vector: Float32Array,
  { known, limit, mode, threshold = 0, ...scope }: SearchOptions,
  weights: RankWeights = EVEN,
): SearchResult => {
  const within = { ...scope, ...(known !== undefined && { known }) }
  const words = searchWords(file, query, {
    ...within,
    ...(mode !== undefined && { mode }),
    limit: CANDIDATES,
  })
  const near = nearPassages(file, vectors, query, vector, within)
  const joined = new Map<string, Joined>()
  for (const [rank, hit] of words.hits.entries())
    joined.set(keyOf(hit), { hit, value: weights.words / (RANK_CONSTANT + rank + 1), rank })
  for (const [rank, hit] of near.entries()) {
    const key = keyOf(hit)
    const value = weights.meaning / (RANK_CONSTANT + rank + 1)
    const there = joined.get(key)
    const { cosine, isNear } = hit
    joined.set(
      key,
      there === undefined
        ? { hit, value, rank }
        : {
            hit:
              rank < there.rank && !isFound(there.hit)
                ? hit
                : { ...there.hit, cosine: cosine!, ...(isNear && { isNear }) },
            value: there.value + value,
            rank: Math.min(rank, there.rank),
          },
    )
  }
  const hits = [...joined.values()]
    .toSorted((a, b) => b.value - a.value)
    .map(({ hit }) => hit)
    .filter(({ score }) => score >= threshold)
  return { ...words, hits: hits.slice(0, limit) }
}

interface Joined {
  readonly hit: Hit
  readonly value: number
  /** The better one. */
  readonly rank: number
}

const keyOf = ({ chars, path }: Hit): string => `${path} ${chars[0]}`

/** Passages by their vectors, nearest first. */
const nearPassages = (
  file: DocumentFile,
  vectors: Vectors,
  query: string,
  vector: Float32Array,
  scope: Pick<SearchOptions, "where" | "filter" | "known">,
): ReadonlyArray<Hit> =>
  file.read(() => {
    const condition = conditionOf(scope)
    const nearest = vectors.nearest(vector, CANDIDATES, condition)
    const cosines = new Map(nearest.map(({ cosine, id }) => [id, cosine]))
    const sql = `SELECT chunk, vector FROM embedded WHERE vector IN (SELECT value FROM json_each(?))${condition.of("embedded.chunk")}`
    const cosineOf = new Map(
      file
        .all(sql, JSON.stringify([...cosines.keys()]), ...condition.values)
        .map((row) => [Number(row["chunk"]), cosines.get(Number(row["vector"]))!]),
    )
    const unrelated = vectors.embedding()?.unrelated ?? 1
    return weighPassages(file, query, [...cosineOf.keys()], scope)
      .map(({ hit, row }): Hit => {
        const cosine = cosineOf.get(row)!
        return {
          ...hit,
          by: "meaning",
          score: Math.min(1, Math.max(0, cosine)),
          cosine,
          ...(cosine > unrelated && { isNear: true }),
        }
      })
      .toSorted((a, b) => b.cosine! - a.cosine!)
      .slice(0, CANDIDATES)
  })
