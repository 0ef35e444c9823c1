/** The vector of a query, for a library whose passages have some. */
import type { EmbeddingReport, PassageEmbedder } from "./embedPassages.ts"
import { unit } from "./Vectors.ts"

/** The library as it was given, with the vector unless its embedder gives none now. That of a query with other wordings is the mean of theirs. */
export const queryVector = async <One extends { readonly embedding?: EmbeddingReport }>(
  one: One,
  embedder: PassageEmbedder | undefined,
  texts: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<One & { readonly vector?: Float32Array }> => {
  if (embedder === undefined || (one.embedding?.embedded ?? 0) === 0) return one
  const vector = meanOf((await embedder.embed(texts, signal)) ?? [], embedder.dimensions)
  return vector === undefined ? one : { ...one, vector }
}

/** Each counts as much, whatever its length; undefined unless one has the dimensions and numbers. */
const meanOf = (
  vectors: ReadonlyArray<Float32Array>,
  dimensions: number,
): Float32Array | undefined => {
  const units = vectors
    .filter(({ length }) => length === dimensions)
    .map(unit)
    .filter((vector) => vector !== undefined)
  const [first, ...others] = units
  return first?.map((value, at) => others.reduce((sum, other) => sum + other[at]!, value))
}
