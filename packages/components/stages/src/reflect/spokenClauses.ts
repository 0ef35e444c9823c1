/** The clauses of a request with the forms of their words in which wishes are looked for: names have none. */
import { grammarOf, stem } from "@planloom/planning/reading"
import { phrasesOf } from "./wishes/phrases.ts"
import type { StepResultCall } from "./Reflection.ts"
import type { ScopedWord } from "./wishes/ScopedWord.ts"
import { scopedClauses } from "./wishes/scopes.ts"
import { isGivenName, isName, isShouted } from "./wishes/spokenNames.ts"

export interface SpokenWord extends ScopedWord {
  /** Empty for a name. */
  readonly stem: string
  /** As written; empty for what the text itself says to be a name. */
  readonly proper: string
}

export type SpokenClause = ReadonlyArray<SpokenWord>

/** The languages of the words of a wish are those that a request may have. */
export const spokenClauses = (
  request: string,
  languages: ReadonlyArray<string>,
  calls: ReadonlyArray<Pick<StepResultCall, "params">>,
): ReadonlyArray<SpokenClause> => {
  const grammars = languages.map((language) => grammarOf(language))
  const phrases = phrasesOf(grammars)
  const shouted = isShouted(request)
  const clauses = scopedClauses(request, grammars)
  const searched = searchedNames(clauses, calls)
  return clauses.map((words) => {
    const first = words.findIndex(({ word }) => !phrases.interjections.has(word))
    return words.map((word, at) => {
      const isSearched = searched.has(word)
      const isAnyName = isSearched || (!shouted && isName(words, at, request, phrases, first))
      return {
        ...word,
        stem: isAnyName ? "" : stem(word.word),
        proper: isSearched || isGivenName(words, at, request, phrases.naming) ? "" : word.text,
      }
    })
  })
}

/**
 * Words of names with which the calls were made: "Safe Haven", "Rug Radio". Where the request has one in small letters
 * alone, the first is the name: "is safe safe?"
 */
const searchedNames = (
  clauses: ReadonlyArray<ReadonlyArray<ScopedWord>>,
  calls: ReadonlyArray<Pick<StepResultCall, "params">>,
): ReadonlySet<ScopedWord> => {
  const texts = calls.flatMap(({ params }) =>
    Object.values(params).flatMap((value) => (typeof value === "string" ? [value] : [])),
  )
  const found = [...new Set(texts)].flatMap((text) => {
    const parts = text.split(/\s+/).filter((part) => part !== "")
    if (!isCapitalized(parts)) return []
    const runs = clauses.flatMap((words) => runsOf(words, parts))
    const names = runs.filter((run) => isCapitalized(run.map((word) => word.text)))
    return (names.length > 0 ? names : runs.slice(0, 1)).flat()
  })
  return new Set(found)
}

const isCapitalized = (parts: ReadonlyArray<string>): boolean =>
  parts.length > 0 && parts.every((part) => /^\p{Lu}/u.test(part))

const runsOf = (
  words: ReadonlyArray<ScopedWord>,
  parts: ReadonlyArray<string>,
): ReadonlyArray<ReadonlyArray<ScopedWord>> => {
  const lower = parts.map((part) => part.toLowerCase())
  return words.flatMap((_, from) =>
    lower.every((part, by) => words[from + by]?.word === part)
      ? [words.slice(from, from + parts.length)]
      : [],
  )
}
