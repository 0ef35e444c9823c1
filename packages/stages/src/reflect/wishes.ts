/** The wishes that a request names by its words: whole words, not negated, not part of a name. */
import { isToolAmong } from "@planloom/plugin/effect"
import { grammarOf, readWords, stem } from "@planloom/planning/reading"
import { phrasesOf } from "./phrases.ts"
import type { StepResultCall, Wish } from "./Reflection.ts"
import type { ScopedWord } from "./ScopedWord.ts"
import { scopedClauses } from "./scopes.ts"
import { isGivenName, isName, isShouted } from "./spokenNames.ts"

type Wishes = { readonly [wish: string]: Wish }

/** In the order in which they are declared; in every language that a wish has words for. */
export const wishesIn = (request: string, wishes: Wishes): ReadonlyArray<string> => {
  const read = new Map<string, ReadonlyArray<SpokenClause>>()
  return Object.entries(wishes)
    .filter(([, wish]) => {
      const languages = [
        ...new Set([...Object.keys(wish.words), ...Object.keys(wish.without ?? {})]),
      ]
      const key = languages.join(" ")
      if (!read.has(key)) read.set(key, spokenClauses(request, languages))
      return asksFor(read.get(key)!, languages, wish)
    })
    .map(([wish]) => wish)
}

/** Those that no successful call of their tools has answered. */
export const unmetWishes = (
  request: string,
  wishes: Wishes,
  calls: ReadonlyArray<Pick<StepResultCall, "ok" | "tool">>,
): ReadonlyArray<string> =>
  wishesIn(request, wishes).filter((wish) => {
    const { tools } = wishes[wish]!
    return !calls.some(({ ok, tool }) => ok && isToolAmong(tool, tools))
  })

interface Mention {
  readonly start: number
  readonly asks: boolean
}

/** The last mention counts: "is it safe? – no, forget the safety". */
const asksFor = (
  clauses: ReadonlyArray<SpokenClause>,
  languages: ReadonlyArray<string>,
  { without = {}, words }: Wish,
): boolean => {
  const mentions = languages.flatMap((language): ReadonlyArray<Mention> =>
    clauses.flatMap((clause) => [
      ...(words[language] ?? []).flatMap((phrase) => mentionsOf(clause, phrase, language)),
      ...(without[language] ?? []).flatMap((phrase) => leftOut(clause, phrase, language)),
    ]),
  )
  return mentions.toSorted((one, other) => one.start - other.start).at(-1)?.asks ?? false
}

interface SpokenWord extends ScopedWord {
  /** Empty for a name. */
  readonly stem: string
  /** As written; empty for what the text itself says to be a name. */
  readonly proper: string
}

type SpokenClause = ReadonlyArray<SpokenWord>

/** The languages of the words of a wish are those that a request may have. */
const spokenClauses = (
  request: string,
  languages: ReadonlyArray<string>,
): ReadonlyArray<SpokenClause> => {
  const grammars = languages.map((language) => grammarOf(language))
  const phrases = phrasesOf(grammars)
  const shouted = isShouted(request)
  return scopedClauses(request, grammars).map((words) => {
    const first = words.findIndex(({ word }) => !phrases.interjections.has(word))
    return words.map((word, at) => ({
      ...word,
      stem: !shouted && isName(words, at, request, phrases, first) ? "" : stem(word.word),
      proper: isGivenName(words, at, request, phrases.naming) ? "" : word.text,
    }))
  })
}

const mentionsOf = (
  clause: SpokenClause,
  phrase: string,
  language: string,
): ReadonlyArray<Mention> =>
  matches(clause, phrase, language).flatMap((words) => {
    const scopes = words.flatMap(({ scope, sense }) => [scope, sense])
    const asks = scopes.every((scope) => scope === "open")
    return asks || scopes.includes("withdrawn") ? [{ start: words[0]!.start, asks }] : []
  })

/** Things that a request leaves out have to be found first: "no scams", but not "no scam check". */
const leftOut = (clause: SpokenClause, phrase: string, language: string): ReadonlyArray<Mention> =>
  matches(clause, phrase, language).flatMap((words) => {
    const last = words.at(-1)!
    const next = clause[clause.indexOf(last) + 1]
    const isThings = !phrase.endsWith(last.word) && next?.isContent !== true
    return isThings && last.isLeftOut ? [{ start: last.end, asks: true }] : []
  })

/** A phrase with a capital is a proper name, which the request writes in the same way. */
const matches = (
  clause: SpokenClause,
  phrase: string,
  language: string,
): ReadonlyArray<SpokenClause> => {
  const form = phrase === phrase.toLowerCase() ? "stem" : "proper"
  const forms = wordsOf(phrase, language).map((word) => (form === "stem" ? stem(word) : word))
  if (forms.length === 0) return []
  return clause.flatMap((_, at) =>
    forms.every((one, by) => clause[at + by]?.[form] === one)
      ? [clause.slice(at, at + forms.length)]
      : [],
  )
}

/** A phrase of letters alone has its words between its spaces. */
const wordsOf = (phrase: string, language: string): ReadonlyArray<string> =>
  /^[\p{L}' ]+$/u.test(phrase)
    ? phrase.split(" ").filter((word) => word !== "")
    : readWords(phrase, grammarOf(language)).map(({ text }) => text)
