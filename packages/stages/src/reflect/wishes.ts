/** The wishes that a request names by its words: whole words, not negated, not part of a name. */
import { isToolAmong } from "@planloom/plugin/effect"
import { clausesOf, grammarOf, readWords, stem, type Word } from "@planloom/planning/reading"
import type { StepResultCall, Wish } from "./Reflection.ts"

type Wishes = { readonly [wish: string]: Wish }

/** In the order in which they are declared; in every language that a wish has words for. */
export const wishesIn = (request: string, wishes: Wishes): ReadonlyArray<string> =>
  Object.entries(wishes)
    .filter(([, { words }]) =>
      Object.entries(words).some(([language, own]) => asksFor(request, language, own)),
    )
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

const asksFor = (request: string, language: string, words: ReadonlyArray<string>): boolean => {
  const grammar = grammarOf(language)
  const isShouted = request === request.toUpperCase()
  return clausesOf(request, grammar).some((clause) => {
    const said = readWords(clause, grammar)
    const negated = said.findIndex(({ operator }) => operator === "negation")
    const open = negated === -1 ? said : said.slice(0, negated)
    const stems = open.map((word, at) =>
      isName(word, at, clause, isShouted) ? "" : stem(word.word),
    )
    return words.some((phrase) => holds(stems, phrasesOf(phrase, language)))
  })
}

const phrasesOf = (phrase: string, language: string): ReadonlyArray<string> =>
  readWords(phrase, grammarOf(language)).map(({ word }) => stem(word))

const holds = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): boolean =>
  phrase.length > 0 &&
  words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word))

/** Quoted, marked as a symbol, in capitals, or with a capital inside of a sentence. */
const isName = ({ end, start, text }: Word, at: number, clause: string, isShouted: boolean) => {
  if (end - start !== text.length) return true
  if (/[$#@]/.test(clause.charAt(start - 1))) return true
  if (isShouted) return false
  const isCapital = /^\p{Lu}/u.test(text)
  return isCapital && (at > 0 || (text.length > 1 && text === text.toUpperCase()))
}
