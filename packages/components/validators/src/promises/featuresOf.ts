/** Features of a sentence for the likeness of promises: its words, pairs and triples. */
import type { Word } from "@planloom/review-kit"

const NUMBER = /^\p{N}+/u

/** Letters of the start of a word, which forms of a word have in common. */
const STEM = 5

/** The words, in which all numbers are equal: "10%" is "0%". */
export const tokensOf = (words: ReadonlyArray<Word>): ReadonlyArray<string> =>
  words.map(({ word }) => {
    const first = word.charCodeAt(0)
    return first >= 97 && first <= 122 ? word : word.replace(NUMBER, "0")
  })

/** The start of a longer word. */
export const stemOf = (token: string): string | undefined =>
  token.length > STEM ? `${token.slice(0, STEM)}*` : undefined

/** Words, their starts, pairs, and triples also with any word (`_`) in the middle; each once. */
export const featuresOf = (tokens: ReadonlyArray<string>): ReadonlySet<string> => {
  const features = new Set<string>()
  for (const [at, one] of tokens.entries()) {
    features.add(one)
    const stem = stemOf(one)
    if (stem !== undefined) features.add(stem)
    const next = tokens[at + 1]
    if (next === undefined) continue
    features.add(`${one} ${next}`)
    const last = tokens[at + 2]
    if (last === undefined) continue
    features.add(`${one} ${next} ${last}`)
    features.add(`${one} _ ${last}`)
  }
  return features
}
