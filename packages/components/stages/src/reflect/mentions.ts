/** Mentions of a wish in a clause of a request, by the words and phrases of the wish. */
import { partsOf, type PhrasePart } from "./phraseParts.ts"
import type { WishPhrase } from "./Reflection.ts"
import type { SpokenClause, SpokenWord } from "./spokenClauses.ts"

export interface Mention {
  readonly start: number
  readonly asks: boolean
  /** The request says it of something, and does not ask. */
  readonly isStated: boolean
}

export const mentionsOf = (
  clause: SpokenClause,
  phrase: WishPhrase,
  language: string,
): ReadonlyArray<Mention> =>
  spansOf(clause, phrase, language).flatMap((words) => {
    const scopes = words.flatMap(({ scope, sense }) => [scope, sense])
    const asks = scopes.every((scope) => scope === "open")
    const isStated = words.some((word) => word.isStated)
    return asks || scopes.includes("withdrawn") ? [{ start: words[0]!.start, asks, isStated }] : []
  })

/** Things that a request leaves out have to be found first: "no scams", but not "no scam check". */
export const leftOut = (
  clause: SpokenClause,
  phrase: string,
  language: string,
): ReadonlyArray<Mention> =>
  matches(clause, phrase, language).flatMap((words) => {
    const last = words.at(-1)!
    const next = clause[clause.indexOf(last) + 1]
    const isThings = !phrase.endsWith(last.word) && next?.isContent !== true
    return isThings && last.isLeftOut ? [{ start: last.end, asks: true, isStated: false }] : []
  })

/** Of groups, a phrase of each has to be in the clause, in any order: the last of each counts. */
const spansOf = (
  clause: SpokenClause,
  phrase: WishPhrase,
  language: string,
): ReadonlyArray<SpokenClause> => {
  if (typeof phrase === "string") return matches(clause, phrase, language)
  const found = phrase.map((group) => group.flatMap((one) => matches(clause, one, language)).at(-1))
  const words = new Set(found.flatMap((one) => one ?? []))
  return found.includes(undefined) ? [] : [clause.filter((word) => words.has(word))]
}

const matches = (
  clause: SpokenClause,
  phrase: string,
  language: string,
): ReadonlyArray<SpokenClause> => {
  const parts = partsOf(phrase, language)
  const [first] = parts
  if (first === undefined) return []
  const found: Array<SpokenClause> = []
  for (const [at, word] of clause.entries()) {
    if (!isPart(word, first)) continue
    const words = clause.slice(at, at + parts.length)
    if (words.length === parts.length && words.every((one, by) => isPart(one, parts[by]!)))
      found.push(words)
  }
  return found
}

const isPart = (
  { proper, stem, word }: SpokenWord,
  { form, start, written }: PhrasePart,
): boolean =>
  form === undefined
    ? proper === written
    : start === undefined
      ? stem === form
      : stem !== "" && (stem.startsWith(start) || word.startsWith(start))
