/** Measures on the vectors of an index how many codes have to be looked at, and how near unrelated passages are. */
import type { DocumentFile } from "../index/DocumentFile.ts"
import { dot, MAX_EXACT, numbersOf, type Vectors } from "./Vectors.ts"

/** Share of the exact scan's nearest that codes have to find. */
export const MIN_RECALL = 0.95

/** Of the nearest, as many as a search compares. */
const NEAREST = 10

/** Passages that are asked for. */
const QUERIES = 50

/** Codes that are tried first; more are, until they find enough. */
const FIRST_CANDIDATES = 400

/** Multiplications of a measurement: some two seconds. */
const MAX_WORK = 3e9

/** Pairs of passages of which nearly all are unrelated, and the share that is. */
const PAIRS = 2000
const UNRELATED_SHARE = 0.99

/** Measured again when the number of passages with vectors has changed by this share. */
const CHANGE = 0.2

export const measureCodes = (file: DocumentFile, vectors: Vectors): void => {
  const count = vectors.passages()
  const before = Number(file.get("SELECT measured FROM embedding")?.["measured"] ?? 0)
  if (count === 0 || Math.abs(count - before) <= CHANGE * before) return
  const { candidates, recall } = count <= MAX_EXACT ? exact : enoughCodes(file, vectors, count)
  const unrelated = unrelatedCosine(file)
  file.run(
    "UPDATE embedding SET candidates = ?, recall = ?, measured = ?, unrelated = ?",
    candidates,
    recall,
    count,
    unrelated,
  )
}

interface Measured {
  readonly candidates: number | null
  readonly recall: number | null
}

const exact: Measured = { candidates: null, recall: null }

const enoughCodes = (file: DocumentFile, vectors: Vectors, count: number): Measured => {
  const queries = sample(file, queriesOf(vectors.embedding()!.dimensions * count))
  const nearest = vectors.exactOf(queries, NEAREST + 1).map((found) => found.map(({ id }) => id))
  let recall = 0
  // More than a quarter of the vectors is no faster than all of them.
  for (let candidates = FIRST_CANDIDATES; candidates <= count / 4; candidates *= 2) {
    const shares = queries.map((query, at) => {
      const found = new Set(vectors.candidates(query, candidates))
      // Codes that are mostly the same leave too many.
      if (found.size > count / 2) return 0
      return nearest[at]!.filter((id) => found.has(id)).length / nearest[at]!.length
    })
    recall = shares.reduce((sum, share) => sum + share, 0) / shares.length
    if (recall >= MIN_RECALL) return { candidates, recall }
  }
  return { candidates: null, recall }
}

const queriesOf = (work: number): number =>
  Math.max(5, Math.min(QUERIES, Math.floor(MAX_WORK / work)))

/** The cosine that nearly all pairs of passages stay below. */
const unrelatedCosine = (file: DocumentFile): number => {
  const some = sample(file, Math.ceil(Math.sqrt(2 * PAIRS)))
  const cosines = some.flatMap((one, at) => some.slice(at + 1).map((other) => dot(one, other)))
  const sorted = cosines.toSorted((a, b) => a - b)
  return sorted[Math.floor(UNRELATED_SHARE * sorted.length)] ?? 1
}

/** Vectors spread over the index, always the same of the same index. */
const sample = (file: DocumentFile, wanted: number): ReadonlyArray<Float32Array> => {
  const ids = file.all("SELECT id FROM vectors ORDER BY hash LIMIT ?", wanted)
  return ids.map(({ id }) => {
    const row = file.get("SELECT vector FROM vectors WHERE id = ?", id!)!
    return numbersOf(Uint8Array.from(row["vector"] as unknown as Uint8Array))
  })
}
