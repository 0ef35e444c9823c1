/** The words of a query that are searched, without grammar and polite phrases. */
import { grammarWords } from "./grammarWords.ts"

/** More words are left out: the time of a search has a bound, whatever a request holds. */
const MAX_TERMS = 32

export const isGrammar = (word: string): boolean => grammarWords.has(word)

/** Words of several texts, each once. */
export const termsOfAll = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap(termsOf)),
]

/** In lower case, each once; all words of a query that is grammar alone. */
export const termsOf = (query: string): ReadonlyArray<string> => {
  const words = new Set(
    query
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu),
  )
  const content = [...words].filter((word) => !grammarWords.has(word))
  return (content.length === 0 ? [...words] : content).slice(0, MAX_TERMS)
}
