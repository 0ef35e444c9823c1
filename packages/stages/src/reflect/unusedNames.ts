/** Names of a request that no call has, beside one that a call has: "compare PEPE and LUNA", after a search for PEPE. */
import type { Tool } from "@planloom/plugin/effect"
import { grammarOf, readWords, stem, type Grammar, type Word } from "@planloom/planning/reading"
import type { StepResultCall } from "./Reflection.ts"
import { isInCapitals, isMarked, isShouted } from "./spokenNames.ts"

type Calls = ReadonlyArray<Pick<StepResultCall, "tool" | "params" | "summary" | "entities">>

/** Codes, marked symbols, names in capitals, and values of params by their words; each once. */
export const unusedNames = (
  request: string,
  calls: Calls,
  tools: ReadonlyArray<Pick<Tool, "name" | "words">>,
): ReadonlyArray<string> => [
  ...new Set([
    ...unusedSymbols(request, calls),
    ...tools.flatMap((tool) => unusedValues(request, tool, calls)),
  ]),
]

/** A word of letters and digits that is too long for a measure: an address, a hash, the number of an order. */
const code = /^(?!\p{N}+\p{L}+$)(?=.*\p{N})(?=.*\p{L})[\p{L}\p{N}_-]{8,}$/u

const grammars = ["en", "es"].map((language) => grammarOf(language))

/** A call has what its params, its summary or its entities have. */
const unusedSymbols = (request: string, calls: Calls): ReadonlyArray<string> => {
  const had = calls
    .map(({ entities = [], params, summary }) => JSON.stringify([params, summary, entities]))
    .join("\n")
    .toLowerCase()
  const isHad = ({ word }: Word) => had.includes(word)
  const words = readWords(request, grammars[0]!)
  const named = words.filter((word) => code.test(word.text) || isSymbol(word, request))
  const beside = isShouted(request) ? [] : linkedNames(words, request, isHad)
  const all = words.filter((word) => named.includes(word) || beside.includes(word))
  return all.some(isHad) ? all.filter((word) => !isHad(word)).map(({ text }) => text) : []
}

const isSymbol = (word: Word, request: string): boolean =>
  /^\p{L}/u.test(word.text) && isMarked(word, request)

/** Names that only a link separates from one that a call has: "PEPE or LUNA", "PEPE, LUNA"; that one, too. */
const linkedNames = (
  words: ReadonlyArray<Word>,
  request: string,
  isHad: (word: Word) => boolean,
): ReadonlyArray<Word> => {
  const names = words.filter((word) => isInCapitals(word) || isMarked(word, request))
  return names.filter((name, at) =>
    [names[at - 1], names[at + 1]].some(
      (other) =>
        other !== undefined &&
        (isHad(other) || isHad(name)) &&
        isLink(between(request, name, other), grammars),
    ),
  )
}

const between = (request: string, one: Word, other: Word): string =>
  one.start < other.start
    ? request.slice(one.end, other.start)
    : request.slice(other.end, one.start)

const isLink = (text: string, known: ReadonlyArray<Grammar>): boolean => {
  const link = text.replace(/[$#@]/g, "").trim()
  if (link === ",") return true
  const word = link.replace(/^,\s*/, "").replace(/\.$/, "").toLowerCase()
  return known.some(({ links }) => links.includes(word))
}

/** Values of one param that the request names by their words, beside one with which the tool was called. */
const unusedValues = (
  request: string,
  { name, words = {} }: Pick<Tool, "name" | "words">,
  calls: Calls,
): ReadonlyArray<string> =>
  Object.entries(words).flatMap(([param, values]) => {
    const used = calls.flatMap(({ params, tool }) =>
      tool === name ? [String(params[param] ?? "")] : [],
    )
    const spoken = spokenValues(request, values)
    return spoken.some((value) => used.includes(value))
      ? spoken.filter((value) => !used.includes(value))
      : []
  })

/** The longest words first: "uniswap v2" is not "uniswap". */
const spokenValues = (
  request: string,
  values: { readonly [value: string]: ReadonlyArray<string> },
): ReadonlyArray<string> => {
  const stemsOf = (text: string) => readWords(text, grammars[0]!).map(({ word }) => stem(word))
  let rest = ` ${stemsOf(request).join(" ")} `
  const phrases = Object.entries(values)
    .flatMap(([value, said]) => said.map((phrase) => [value, stemsOf(phrase)] as const))
    .toSorted(([, one], [, other]) => other.length - one.length)
  return phrases.flatMap(([value, phrase]) => {
    const text = ` ${phrase.join(" ")} `
    if (phrase.length === 0 || !rest.includes(text)) return []
    rest = rest.replaceAll(text, " \n ")
    return [value]
  })
}
