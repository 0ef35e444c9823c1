/** Turns words into the numbers that are indexed: the word with its concepts, or its grams. */
import { grams } from "./grams.ts"
import { hash } from "./hash.ts"
import type { Occurrences } from "./Segment.ts"
import { stem } from "./stem.ts"
import { stopWords } from "./stopWords.ts"
import { conceptsOfStem } from "./thesaurus.ts"
import { words } from "./words.ts"

/** Terms are 31-bit numbers, which JavaScript keeps without a box: the lower half words and grams, the upper concepts. */
const CONCEPT = 0x40000000

const isConcept = (term: number): boolean => term >= CONCEPT

/** The terms one word stands for. */
export type TermsOfWord = (word: string) => ReadonlyArray<number>

export const meaningOf: TermsOfWord = (word) => {
  const stemmed = stem(word)
  const concepts = conceptsOfStem(stemmed).map((concept) => CONCEPT + concept)
  return [hash(stemmed) % CONCEPT, ...concepts]
}

export const gramsOf: TermsOfWord = (word) => grams(word).map((gram) => hash(gram) % CONCEPT)

/** The same, remembering its answers: the texts of a catalog say the same few thousand words over and over. */
export const remembering = (termsOfWord: TermsOfWord): TermsOfWord => {
  const known = new Map<string, ReadonlyArray<number>>()
  return (word) => {
    let terms = known.get(word)
    if (terms === undefined) known.set(word, (terms = termsOfWord(word)))
    return terms
  }
}

/** The words of a text that tell one tool from another. */
export const tellingWords = (text: string): ReadonlyArray<string> =>
  words(text).filter((word) => !stopWords.has(word))

/** The terms of a document, given the words of each of its fields. Concepts do not make a field longer. */
export const occurrences = (
  wordsOfFields: ReadonlyArray<ReadonlyArray<string>>,
  termsOfWord: TermsOfWord,
): Occurrences => {
  const [terms, fields, counts] = [[] as Array<number>, [] as Array<number>, [] as Array<number>]
  const lengths = wordsOfFields.map((wordsOfField, field) => {
    const times = new Map<string, number>()
    for (const word of wordsOfField) times.set(word, (times.get(word) ?? 0) + 1)
    let length = 0
    for (const [word, count] of times)
      for (const term of termsOfWord(word)) {
        if (!isConcept(term)) length += count
        terms.push(term)
        fields.push(field)
        counts.push(count)
      }
    return length
  })
  return { terms, fields, counts, lengths }
}

/**
 * A query's terms with their weights: a word said twice counts a little more than one said once, and a
 * concept counts for less than the word itself.
 */
export const queryTerms = (
  query: string,
  termsOfWord: TermsOfWord,
): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>()
  for (const word of tellingWords(query))
    for (const term of termsOfWord(word)) weights.set(term, (weights.get(term) ?? 0) + 1)
  for (const [term, count] of weights)
    weights.set(term, isConcept(term) ? 0.5 : 1 + 0.2 * Math.log(count))
  return weights
}
