/** Converts texts to indexed term numbers: stems with their concepts, verbs with their particles, or character grams. */
import { grams } from "./grams.ts"
import { hash } from "./hash.ts"
import type { Occurrences } from "../Segment.ts"
import { stem } from "./stem.ts"
import { particles, stopWords } from "./stopWords.ts"
import type { Thesaurus } from "./Thesaurus.ts"
import { words } from "./words.ts"

/**
 * Terms are 31-bit numbers, which engines store unboxed: words and grams in the lower half, then concepts, synonyms and
 * pairs.
 */
const FIRST_CONCEPT = 0x40000000
const FIRST_SYNONYM = 0x50000000
const FIRST_PAIR = 0x60000000

const isWord = (term: number): boolean => term < FIRST_CONCEPT

/** Whether a document can say all of a query without the term, unless another one has it: pairs repeat words. */
export const isOptional = (term: number): boolean => term >= FIRST_PAIR

/** Weights of terms of a query beside its words. */
const CONCEPT_WEIGHT = 0.4
const PAIR_WEIGHT = 0.3

/** Words between a verb and its particle: `turn the kitchen light on`. */
const PARTICLE_DISTANCE = 3

/** Maps one token, a word or a pair of words, to its terms. */
export type TermsOfToken = (token: string) => ReadonlyArray<number>

export const wordTerms =
  (thesaurus: Thesaurus): TermsOfToken =>
  (token) => {
    const stemmed = token.split(" ").map(stem).join(" ")
    const concepts = thesaurus.conceptsOf(stemmed).map((concept) => FIRST_CONCEPT + concept)
    const synonyms = thesaurus.synonymsOf(stemmed).map((synonym) => FIRST_SYNONYM + synonym)
    const own = hash(stemmed) % FIRST_CONCEPT
    return [token.includes(" ") ? FIRST_PAIR + (own >>> 1) : own, ...concepts, ...synonyms]
  }

export const gramTerms: TermsOfToken = (token) =>
  token.includes(" ") || stopWords.has(token)
    ? []
    : grams(token).map((gram) => hash(gram) % FIRST_CONCEPT)

/** Caches the terms per token: the texts of a catalog repeat a few thousand words. */
export const memoize = (termsOf: TermsOfToken): TermsOfToken => {
  const known = new Map<string, ReadonlyArray<number>>()
  return (token) => {
    let terms = known.get(token)
    if (terms === undefined) known.set(token, (terms = termsOf(token)))
    return terms
  }
}

/**
 * The words of a text without stop words, and pairs: a word with a particle that follows it (`turn off`), and phrases of
 * the thesaurus. A text of stop words only yields all of them.
 */
export const tokens = (text: string, thesaurus: Thesaurus): ReadonlyArray<string> => {
  const all = words(text)
  const found: Array<string> = []
  all.forEach((word, at) => {
    const before = all[at - 1]
    if (stopWords.has(word)) {
      if (particles.has(word)) addPairs(all, at, found)
      return
    }
    found.push(word)
    if (before !== undefined && thesaurus.hasPhrase(before, word)) found.push(`${before} ${word}`)
  })
  return found.length === 0 ? all : found
}

const addPairs = (all: ReadonlyArray<string>, at: number, found: Array<string>): void => {
  for (let back = 1; back <= PARTICLE_DISTANCE && back <= at; back++) {
    const word = all[at - back]!
    if (!stopWords.has(word)) found.push(`${word} ${all[at]!}`)
  }
}

/** The term occurrences of a document, from the tokens per field. Only words count towards field lengths. */
export const occurrences = (
  tokensOfFields: ReadonlyArray<ReadonlyArray<string>>,
  termsOf: TermsOfToken,
): Occurrences => {
  const [terms, fields, counts] = [[] as Array<number>, [] as Array<number>, [] as Array<number>]
  const lengths = tokensOfFields.map((tokensOfField, field) => {
    const times = new Map<string, number>()
    for (const token of tokensOfField) times.set(token, (times.get(token) ?? 0) + 1)
    let length = 0
    for (const [token, count] of times)
      for (const term of termsOf(token)) {
        if (isWord(term)) length += count
        terms.push(term)
        fields.push(field)
        counts.push(count)
      }
    return length
  })
  return { terms, fields, counts, lengths }
}

/** The weighted terms of a query: repeated words weigh slightly more; synonyms weigh as much as words, concepts and pairs less. */
export const queryTerms = (
  query: ReadonlyArray<string>,
  termsOf: TermsOfToken,
): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>()
  for (const token of query)
    for (const term of termsOf(token)) weights.set(term, (weights.get(term) ?? 0) + 1)
  for (const [term, count] of weights) weights.set(term, weightOf(term, count))
  return weights
}

const weightOf = (term: number, count: number): number => {
  if (isWord(term)) return 1 + 0.2 * Math.log(count)
  if (isOptional(term)) return PAIR_WEIGHT
  return term < FIRST_SYNONYM ? CONCEPT_WEIGHT : 1
}
