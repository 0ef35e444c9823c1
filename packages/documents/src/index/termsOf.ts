/** The words of a query that are searched, without grammar and polite phrases. */

/** More words are left out: the time of a search has a bound, whatever a request holds. */
const MAX_TERMS = 32

const grammar = new Set(
  `a about an and any are as at be been but by can could did do does for from had has have how i if in into is it its me my
no not of on or our please should so that the their them then there these they this to was we were what when where which who why
will with would you your`.split(/\s+/),
)

export const isGrammar = (word: string): boolean => grammar.has(word)

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
  const content = [...words].filter((word) => !grammar.has(word))
  return (content.length === 0 ? [...words] : content).slice(0, MAX_TERMS)
}
