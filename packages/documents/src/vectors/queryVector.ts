/** The vector of a query, for a library whose passages have some. */
import type { EmbeddingReport, PassageEmbedder } from "./embedPassages.ts"

/** The library as it was given, with the vector unless its embedder gives none now. */
export const queryVector = async <One extends { readonly embedding?: EmbeddingReport }>(
  one: One,
  embedder: PassageEmbedder | undefined,
  query: string,
  signal: AbortSignal,
): Promise<One & { readonly vector?: Float32Array }> => {
  if (embedder === undefined || (one.embedding?.embedded ?? 0) === 0) return one
  const [vector] = (await embedder.embed([query], signal)) ?? []
  return vector === undefined ? one : { ...one, vector }
}
