/** The wishes that a request names by its words: whole words, not negated, not part of a name. */
import { isToolAmong } from "@planloom/plugin/effect"
import { leftOut, mentionsOf, type Mention } from "../mentions.ts"
import { allPartsOf } from "../phraseParts.ts"
import type { StepResultCall, Wish } from "../Reflection.ts"
import { spokenClauses, type SpokenClause } from "../spokenClauses.ts"
import { withoutTypos } from "../withoutTypos.ts"

type Wishes = { readonly [wish: string]: Wish }
type Call = Pick<StepResultCall, "ok" | "params" | "tool">

/**
 * In the order in which they are declared; in every language that a wish has words for. What a request only states, or
 * reports that others say, is a wish if it has no other: "he says it's a scam".
 */
export const wishesIn = (
  request: string,
  wishes: Wishes,
  calls: ReadonlyArray<Pick<Call, "params">>,
): ReadonlyArray<string> => {
  const read = new Map<string, ReadonlyArray<SpokenClause>>()
  const clausesFor = (languages: ReadonlyArray<string>) => {
    const key = languages.join(" ")
    const clauses =
      read.get(key) ?? withoutTypos(spokenClauses(request, languages, calls), spellingsIn(wishes))
    read.set(key, clauses)
    return clauses
  }
  const mentioned = Object.entries(wishes).map(([name, wish]) => {
    const languages = [...new Set([...Object.keys(wish.words), ...Object.keys(wish.without ?? {})])]
    return { name, mentions: mentionsIn(clausesFor(languages), languages, wish) }
  })
  const asked = mentioned.filter(({ mentions }) =>
    isAsked(mentions.filter(({ asks, isStated }) => !asks || !isStated)),
  )
  return (asked.length > 0 ? asked : mentioned.filter(({ mentions }) => isAsked(mentions))).map(
    ({ name }) => name,
  )
}

/** Stems by their words, without those of proper names. */
const spellingsIn = (wishes: Wishes): ReadonlyMap<string, string> =>
  new Map(
    Object.values(wishes).flatMap(({ words }) =>
      Object.entries(words).flatMap(([language, phrases]) =>
        phrases.flatMap((phrase) =>
          allPartsOf(phrase, language).flatMap(({ form, written }) =>
            form === undefined ? [] : [[written, form] as const],
          ),
        ),
      ),
    ),
  )

/** The last mention counts: "is it safe? – no, forget the safety". */
const isAsked = (mentions: ReadonlyArray<Mention>): boolean => mentions.at(-1)?.asks ?? false

/** Those that no successful call of their tools has answered. */
export const unmetWishes = (
  request: string,
  wishes: Wishes,
  calls: ReadonlyArray<Call>,
): ReadonlyArray<string> =>
  wishesIn(request, wishes, calls).filter((wish) => {
    const { tools } = wishes[wish]!
    return !calls.some(({ ok, tool }) => ok && isToolAmong(tool, tools))
  })

/** In the order of the request. */
const mentionsIn = (
  clauses: ReadonlyArray<SpokenClause>,
  languages: ReadonlyArray<string>,
  { without = {}, words }: Wish,
): ReadonlyArray<Mention> =>
  languages
    .flatMap((language): ReadonlyArray<Mention> =>
      clauses.flatMap((clause) => [
        ...(words[language] ?? []).flatMap((phrase) => mentionsOf(clause, phrase, language)),
        ...(without[language] ?? []).flatMap((phrase) => leftOut(clause, phrase, language)),
      ]),
    )
    .toSorted((one, other) => one.start - other.start)
