/** The wishes that a request names by its words: whole words, not negated, not part of a name. */
import { isToolAmong } from "@planloom/plugin/effect"
import {
  clausesOf,
  grammarOf,
  readWords,
  stem,
  type Grammar,
  type Word,
} from "@planloom/planning/reading"
import { excluded, isListed } from "./excluded.ts"
import type { StepResultCall, Wish } from "./Reflection.ts"
import { isName, isShouted } from "./spokenNames.ts"
import { unmeant } from "./unmeant.ts"

type Wishes = { readonly [wish: string]: Wish }

/** In the order in which they are declared; in every language that a wish has words for. */
export const wishesIn = (request: string, wishes: Wishes): ReadonlyArray<string> =>
  Object.entries(wishes)
    .filter(([, { words }]) => asksFor(request, words))
    .map(([wish]) => wish)

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

const asksFor = (request: string, words: Wish["words"]): boolean => {
  const grammars = Object.keys(words).map((language) => grammarOf(language))
  const clauses = openWords(request, grammars)
  return Object.entries(words).some(([language, own]) =>
    own.some((written) => {
      const phrase = readWords(written, grammarOf(language))
      // A word that is written with a capital is a name, which is said so.
      const formOf = written === written.toLowerCase() ? commonForm : ({ text }: Word) => text
      return clauses.some((open) => holds(open.map(formOf), phrase.map(formOf)))
    }),
  )
}

type Phrases = "dismissals" | "doubts" | "idioms" | "naming" | "omissions" | "resumes" | "stressed"

type OpenWord = Word & { readonly isName: boolean }

const commonForm = (word: Word & { readonly isName?: boolean }): string =>
  word.isName === true ? "" : stem(word.word)

/**
 * The words of each clause, without those that are excluded. The language of a request is not known: what one of the
 * languages excludes is excluded.
 */
const openWords = (
  request: string,
  grammars: ReadonlyArray<Grammar>,
): ReadonlyArray<ReadonlyArray<OpenWord>> => {
  const clauses = grammars.reduce<ReadonlyArray<string>>(
    (parts, grammar) => parts.flatMap((part) => clausesOf(part, grammar)),
    [request],
  )
  const shouted = isShouted(request)
  const closed = grammars.map(() => false)
  const all = (of: Phrases) => grammars.flatMap((grammar) => grammar[of])
  const phrases = {
    dismissals: all("dismissals"),
    doubts: all("doubts"),
    idioms: all("idioms"),
    naming: all("naming"),
    omissions: all("omissions"),
    resumes: all("resumes"),
    stressed: all("stressed"),
  }
  return clauses.map((clause) => {
    const out = new Set<number>()
    const readings = grammars.map((grammar) => readWords(clause, grammar))
    const listed = readings.every(isListed)
    for (const [at, words] of readings.entries()) {
      const flags = excluded(words, phrases, closed[at]! && listed)
      closed[at] = flags.at(-1) ?? false
      for (const [index, { start }] of words.entries()) if (flags[index]!) out.add(start)
    }
    const words = readings[0]!
    for (const at of unmeant(words, phrases)) out.add(words[at]!.start)
    return words
      .map((word, at) => ({
        ...word,
        isName: !shouted && isName(words, at, clause, phrases),
      }))
      .filter(({ start }) => !out.has(start))
  })
}

const holds = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): boolean =>
  phrase.length > 0 &&
  words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word))
