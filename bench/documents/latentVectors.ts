/** An embedder without a model: latent semantic analysis of the texts that are searched. */

/** Times that the basis is improved; a few suffice for the leading directions. */
const ROUNDS = 3

/** A word of fewer texts says nothing about others. */
const MIN_TEXTS = 2

/** The vectors of texts, all of length 1, from those that it was made of. */
export type EmbedLatently = (texts: ReadonlyArray<string>) => ReadonlyArray<Float32Array>

export const latentVectors = (texts: ReadonlyArray<string>, dimensions: number): EmbedLatently => {
  const counts = texts.map(countWords)
  const spread = new Map<string, number>()
  for (const words of counts)
    for (const word of words.keys()) spread.set(word, (spread.get(word) ?? 0) + 1)
  const terms = new Map<string, { readonly at: number; readonly weight: number }>()
  for (const [word, some] of spread)
    if (some >= MIN_TEXTS)
      terms.set(word, { at: terms.size, weight: Math.log(texts.length / some) })
  const row = (words: ReadonlyMap<string, number>): ReadonlyArray<readonly [number, number]> => {
    const weights: Array<[number, number]> = []
    for (const [word, count] of words) {
      const term = terms.get(word)
      if (term !== undefined) weights.push([term.at, (1 + Math.log(count)) * term.weight])
    }
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1
    return weights.map(([at, weight]) => [at, weight / length])
  }
  const rows = counts.map(row)
  let basis = orthonormal(seeded(terms.size, dimensions))
  for (let round = 0; round < ROUNDS; round++) {
    const next = basis.map(() => new Float64Array(terms.size))
    for (const one of rows)
      for (const [at, axis] of basis.entries()) {
        const value = dot(one, axis)
        for (const [term, weight] of one) next[at]![term]! += weight * value
      }
    basis = orthonormal(next)
  }
  return (given) =>
    given.map((text) => {
      const one = row(countWords(text))
      const vector = Float32Array.from(basis, (axis) => dot(one, axis))
      const length = Math.hypot(...vector)
      return length === 0 ? vector : vector.map((value) => value / length)
    })
}

const dot = (row: ReadonlyArray<readonly [number, number]>, axis: Float64Array): number => {
  let sum = 0
  for (const [term, weight] of row) sum += weight * axis[term]!
  return sum
}

/** Endings are cut off: a stem of five letters is enough to bring the forms of a word together. */
const countWords = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    const stem = word.replace(/(?:ings?|ed|es|s|ly|ion|ions)$/, "").slice(0, 12)
    counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return counts
}

const seeded = (size: number, count: number): Array<Float64Array> => {
  let state = 1
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5
  return Array.from({ length: count }, () => Float64Array.from({ length: size }, next))
}

/** Gram–Schmidt. */
const orthonormal = (axes: Array<Float64Array>): Array<Float64Array> => {
  for (const [at, axis] of axes.entries()) {
    for (const before of axes.slice(0, at)) {
      let shared = 0
      for (let term = 0; term < axis.length; term++) shared += axis[term]! * before[term]!
      for (let term = 0; term < axis.length; term++) axis[term]! -= shared * before[term]!
    }
    const length = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0)) || 1
    for (let term = 0; term < axis.length; term++) axis[term]! /= length
  }
  return axes
}
