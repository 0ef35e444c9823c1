/** Searches by words and by meaning, and joins both rankings. */
import type { DocumentFile, Row } from "../index/DocumentFile.ts"
import { conditionOf, type Condition } from "../index/Scope.ts"
import { isFound, type Hit } from "../index/Hit.ts"
import { hitsOf } from "../index/hitsOf.ts"
import {
  firstHits,
  rankWords,
  rowsOf,
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
  { limit, threshold = 0, ...options }: SearchOptions,
  weights: RankWeights = EVEN,
): SearchResult =>
  file.read(() => {
    const { asked, rows, table, ...found } = rankWords(file, query, options)
    const near = nearPassages(file, vectors, vector, conditionOf(options))
    const unrelated = vectors.embedding()?.unrelated ?? 1
    const lookUp = (some: ReadonlyArray<Joined>): ReadonlyArray<Hit> => {
      const byWords = withWords(some)
      const words = new Map(
        hitsOf(file, table, asked, byWords).map((hit, at) => [byWords[at]!["chunk"], hit]),
      )
      const byMeaning = rowsOf(
        file,
        some.filter(({ near: one }) => one !== undefined).map(({ chunk }) => chunk),
      )
      const passages = new Map(
        hitsOf(file, "words", asked, byMeaning).map((hit, at) => [byMeaning[at]!["chunk"], hit]),
      )
      return some.map((one) =>
        joinedHit(one, words.get(one.chunk), passages.get(one.chunk), unrelated),
      )
    }
    return { ...found, hits: firstHits(join(rows, near, weights), { limit, threshold }, lookUp) }
  })

interface NearPassage {
  readonly chunk: number
  readonly cosine: number
}

/** A passage with its ranks, from 0. */
interface Joined {
  readonly chunk: number
  readonly value: number
  readonly words?: { readonly rank: number; readonly row: Row }
  readonly near?: { readonly rank: number; readonly cosine: number }
}

const withWords = (some: ReadonlyArray<Joined>): ReadonlyArray<Row> =>
  some.flatMap(({ words }) => (words === undefined ? [] : [words.row]))

/** Best first. */
const join = (
  rows: ReadonlyArray<Row>,
  near: ReadonlyArray<NearPassage>,
  weights: RankWeights,
): ReadonlyArray<Joined> => {
  const joined = new Map<number, Joined>()
  for (const [rank, row] of rows.entries()) {
    const chunk = Number(row["chunk"])
    joined.set(chunk, {
      chunk,
      value: weights.words / (RANK_CONSTANT + rank + 1),
      words: { rank, row },
    })
  }
  for (const [rank, { chunk, cosine }] of near.entries()) {
    const known = joined.get(chunk)
    const value = (known?.value ?? 0) + weights.meaning / (RANK_CONSTANT + rank + 1)
    joined.set(chunk, { ...known, chunk, value, near: { rank, cosine } })
  }
  return [...joined.values()].toSorted((a, b) => b.value - a.value)
}

/** By the ranking in which it is better, unless its words count as found. */
const joinedHit = (
  { near, words }: Joined,
  byWords: Hit | undefined,
  passage: Hit | undefined,
  unrelated: number,
): Hit => {
  if (near === undefined) return byWords!
  const meaning = { cosine: near.cosine, ...(near.cosine > unrelated && { isNear: true as const }) }
  return byWords !== undefined && (near.rank >= words!.rank || isFound(byWords))
    ? { ...byWords, ...meaning }
    : {
        ...passage!,
        ...meaning,
        by: "meaning",
        score: Math.min(1, Math.max(0, near.cosine)),
      }
}

/** Passages by their vectors, nearest first. */
const nearPassages = (
  file: DocumentFile,
  vectors: Vectors,
  vector: Float32Array,
  condition: Condition,
): ReadonlyArray<NearPassage> => {
  const nearest = vectors.nearest(vector, CANDIDATES, condition)
  const cosines = new Map(nearest.map(({ cosine, id }) => [id, cosine]))
  const sql = `SELECT chunk, vector FROM embedded WHERE vector IN (SELECT value FROM json_each(?))${condition.of("embedded.chunk")}`
  return file
    .all(sql, JSON.stringify([...cosines.keys()]), ...condition.values)
    .map((row) => ({ chunk: Number(row["chunk"]), cosine: cosines.get(Number(row["vector"]))! }))
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, CANDIDATES)
}
