/** The words of a phrase of a wish, each with the forms in which a request may have it. */
import { grammarOf, readWords, stem } from "@planloom/planning/reading"
import type { WishPhrase } from "./Reflection.ts"

export interface PhrasePart {
  /** Without the mark of a beginning. */
  readonly written: string
  /** Undefined in a phrase with a capital: a proper name, which the request writes in the same way. */
  readonly form: string | undefined
  /** Of a word that ends with `*`: any word that begins so. */
  readonly start: string | undefined
}

/** Phrases are those of workflows: the limit is for requests that bring theirs. */
const MOST = 20_000
const known = new Map<string, ReadonlyArray<PhrasePart>>()

export const partsOf = (phrase: string, language: string): ReadonlyArray<PhrasePart> => {
  const key = `${language} ${phrase}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= MOST) known.clear()
  const isProper = phrase !== phrase.toLowerCase()
  const parts = wordsOf(phrase, language).map((word): PhrasePart => {
    const start = word.endsWith("*") ? word.slice(0, -1) : undefined
    const written = start ?? word
    return { written, form: isProper ? undefined : stem(written), start }
  })
  known.set(key, parts)
  return parts
}

/** Of the phrases of groups, too. */
export const allPartsOf = (phrase: WishPhrase, language: string): ReadonlyArray<PhrasePart> =>
  typeof phrase === "string"
    ? partsOf(phrase, language)
    : phrase.flatMap((group) => group.flatMap((one) => partsOf(one, language)))

/** A phrase of letters alone has its words between its spaces. */
const wordsOf = (phrase: string, language: string): ReadonlyArray<string> =>
  /^[\p{L}'* ]+$/u.test(phrase)
    ? phrase.split(" ").filter((word) => word !== "")
    : readWords(phrase, grammarOf(language)).map(({ text }) => text)
