/** Names of a request that no call has, beside one that a call has: "compare PEPE and LUNA", after a search for PEPE. */
import type { Tool } from "@planloom/plugin/effect"
import { codeTest, grammarOf, readWords, stem, type Word } from "@planloom/planning/reading"
import type { RequestWord } from "./clauses.ts"
import type { StepResultCall } from "../Reflection.ts"
import type { ScopedWord } from "./ScopedWord.ts"
import { scopedClauses } from "./scopes.ts"
import { isInCapitals, isMarked, isShouted } from "./spokenNames.ts"

type Calls = ReadonlyArray<Pick<StepResultCall, "tool" | "params" | "summary" | "entities">>

type NamedTool = Pick<Tool, "name" | "params" | "words">

/** Codes, marked symbols, names in capitals, and values of params by their words; each once, and none that is negated. */
export const unusedNames = (
  request: string,
  calls: Calls,
  tools: ReadonlyArray<NamedTool>,
): ReadonlyArray<string> => {
  const all = scopedClauses(request, grammars)
  const withdrawn = all.flat().filter(({ scope }) => scope === "withdrawn")
  const isWanted = ({ scope, sense, start, word }: ScopedWord) =>
    [scope, sense].every((one) => one === "open") &&
    !withdrawn.some((other) => other.word === word && other.start > start)
  const clauses = all.map((words) => words.filter(isWanted))
  return [
    ...new Set([
      ...unusedSymbols(request, clauses.flat(), calls, tools),
      ...tools.flatMap((tool) => unusedValues(clauses, tool, calls)),
    ]),
  ]
}

/** A word of letters and digits that is too long for a measure: an address, a hash, the number of an order. */
const code = /^(?!\p{N}+\p{L}+$)(?=.*\p{N})(?=.*\p{L})[\p{L}\p{N}_-]{8,}$/u

const grammars = ["en", "es"].map((language) => grammarOf(language))

/** A call has what its params, its summary or its entities have. */
const unusedSymbols = (
  request: string,
  words: ReadonlyArray<RequestWord>,
  calls: Calls,
  tools: ReadonlyArray<NamedTool>,
): ReadonlyArray<string> => {
  const had = calls
    .map(({ entities = [], params, summary }) => JSON.stringify([params, summary, entities]))
    .join("\n")
    .toLowerCase()
  const parts = new Set(had.split(/[^\p{L}\p{N}]+/u))
  const isHad = ({ isContent, word }: RequestWord) =>
    isContent ? had.includes(nameOf(word)) : parts.has(nameOf(word))
  const codes = words.filter(({ text }) => code.test(text))
  const symbols = words.filter((word) => isSymbol(word, request))
  const beside = isShouted(request) ? [] : linkedNames(words, request, isHad)
  const all = words.filter((word) => [codes, symbols, beside].some((some) => some.includes(word)))
  const isKnown = all.some(isHad)
  // Beside nothing that a call has, only a code for a param is expected in one literally.
  const takes = codeTests(tools)
  return all
    .filter((word) => !isHad(word) && (isKnown || takes.some((isCode) => isCode(word.text))))
    .map(({ text }) => text.replace(/['’]s$/, ""))
}

const codeTests = (tools: ReadonlyArray<NamedTool>): ReadonlyArray<(text: string) => boolean> =>
  tools.flatMap(({ params }) => {
    const { properties = {} } = params as { readonly properties?: { readonly [param: string]: {} } }
    return Object.values(properties).flatMap((schema) => codeTest(schema) ?? [])
  })

const isSymbol = (word: Word, request: string): boolean =>
  /^\p{L}/u.test(word.text) && isMarked(word, request)

/** Names that only a link separates from one that a call has: "PEPE or LUNA", "PEPE, LUNA"; that one, too. */
const linkedNames = (
  words: ReadonlyArray<RequestWord>,
  request: string,
  isHad: (word: RequestWord) => boolean,
): ReadonlyArray<RequestWord> => {
  const isCompared = words.some(({ word }) =>
    grammars.some(({ comparisons }) => comparisons.includes(word)),
  )
  const names = words.filter(
    // "WELL" is a name if a call has it.
    (word) => isMarked(word, request) || (isInCapitals(word) && (word.isContent || isHad(word))),
  )
  return names.filter((name, at) =>
    [names[at - 1], names[at + 1]].some(
      (other) =>
        other !== undefined &&
        (isHad(other) || isHad(name)) &&
        ((isOwner(name) && isOwner(other)) || isLink(between(request, name, other), isCompared)),
    ),
  )
}

/** "PEPE's price, and LUNA's, too". */
const isOwner = ({ word }: Word): boolean => nameOf(word) !== word

const nameOf = (word: string): string => word.replace(/'s$/, "")

const between = (request: string, one: Word, other: Word): string =>
  one.start < other.start
    ? request.slice(one.end, other.start)
    : request.slice(other.end, one.start)

const isLink = (text: string, isCompared: boolean): boolean => {
  const link = text.replace(/[$#@]/g, "").trim()
  if (link === ",") return true
  const word = link.replace(/^,\s*/, "").replace(/\.$/, "").toLowerCase()
  return grammars.some(
    ({ links, sides }) => links.includes(word) || (isCompared && sides.includes(word)),
  )
}

/** Values of one param that the request names by their words, beside one with which the tool was called. */
const unusedValues = (
  clauses: ReadonlyArray<ReadonlyArray<Word>>,
  { name, words = {} }: NamedTool,
  calls: Calls,
): ReadonlyArray<string> =>
  Object.entries(words).flatMap(([param, values]) => {
    const used = calls.flatMap(({ params, tool }) =>
      tool === name ? [String(params[param] ?? "")] : [],
    )
    const spoken = spokenValues(clauses, values)
    return spoken.some((value) => used.includes(value))
      ? spoken.filter((value) => !used.includes(value))
      : []
  })

/** The longest words first: "uniswap v2" is not "uniswap". */
const spokenValues = (
  clauses: ReadonlyArray<ReadonlyArray<Word>>,
  values: { readonly [value: string]: ReadonlyArray<string> },
): ReadonlyArray<string> => {
  const textOf = (words: ReadonlyArray<Word>) => words.map(({ word }) => ` ${stem(word)} `).join("")
  let rest = clauses.map(textOf).join("\n")
  const phrases = Object.entries(values)
    .flatMap(([value, said]) =>
      said.map((phrase) => [value, textOf(readWords(phrase, grammars[0]!))] as const),
    )
    .toSorted(([, one], [, other]) => other.length - one.length)
  return phrases.flatMap(([value, phrase]) => {
    if (phrase === "" || !rest.includes(phrase)) return []
    rest = rest.replaceAll(phrase, "\n")
    return [value]
  })
}
