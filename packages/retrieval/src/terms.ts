/** Converts words to indexed term numbers: the stem with its concepts, or its character grams. */
import { grams } from "./grams.ts"
import { hash } from "./hash.ts"
import type { Occurrences } from "./Segment.ts"
import { stem } from "./stem.ts"
import { stopWords } from "./stopWords.ts"
import { conceptsOfStem } from "./thesaurus.ts"
import { words } from "./words.ts"

/** Terms are 31-bit numbers, which engines store unboxed: words and grams in the lower half, concepts in the upper. */
const FIRST_CONCEPT = 0x40000000

const isConcept = (term: number): boolean => term >= FIRST_CONCEPT

/** Maps one word to its terms. */
export type TermsOfWord = (word: string) => ReadonlyArray<number>

export const wordTerms: TermsOfWord = (word) => {
  const stemmed = stem(word)
  const concepts = conceptsOfStem(stemmed).map((concept) => FIRST_CONCEPT + concept)
  return [hash(stemmed) % FIRST_CONCEPT, ...concepts]
}

export const gramTerms: TermsOfWord = (word) =>
  grams(word).map((gram) => hash(gram) % FIRST_CONCEPT)

/** Caches the terms per word: the texts of a catalog repeat a few thousand words. */
export const memoize = (termsOfWord: TermsOfWord): TermsOfWord => {
  const known = new Map<string, ReadonlyArray<number>>()
  return (word) => {
    let terms = known.get(word)
    if (terms === undefined) known.set(word, (terms = termsOfWord(word)))
    return terms
  }
}

/** The words of a text without stop words. */
export const contentWords = (text: string): ReadonlyArray<string> =>
  words(text).filter((word) => !stopWords.has(word))

/** The term occurrences of a document, from the words per field. Concepts do not count towards field lengths. */
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
 * The weighted terms of a query: repeated words weigh slightly more, and concepts weigh less than words.
 */
export const queryTerms = (
  query: string,
  termsOfWord: TermsOfWord,
): ReadonlyMap<number, number> => {
  const weights = new Map<number, number>()
  for (const word of contentWords(query))
    for (const term of termsOfWord(word)) weights.set(term, (weights.get(term) ?? 0) + 1)
  for (const [term, count] of weights)
    weights.set(term, isConcept(term) ? 0.5 : 1 + 0.2 * Math.log(count))
  return weights
}
