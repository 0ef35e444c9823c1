/** Whether what a model says to the user is one or two sentences that need no knowledge of the workflow. */
import type { Tool } from "@planloom/plugin/effect"
import { propertiesOf, type Plan } from "@planloom/planning"
import { grammarOf, stem } from "@planloom/planning/reading"
import { isObject } from "@planloom/schema"
import { modesOf } from "./modesOf.ts"
import { strategies } from "./Reflection.ts"
import { technicalWords } from "./technicalWords.ts"

export const MAX_MESSAGE_CHARACTERS = 300
const MAX_SENTENCES = 2

/** A full stop before a word in lower case is that of an abbreviation. */
const sentenceEnd = /[.!?…]+["'”’»)\]]*(?=\s+[^\p{Ll}\s]|\s*$)|[。！？؟।]|\n/u

/** Code by its shape: JSON, names of several words written as one, calls, paths, and numbers with decimals or in percent. */
const code =
  /[{}[\]`<>=\\]|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\w\(\)|\p{L}[./]\p{L}|\d[.,]\d|\d\s?%/u

/** A single word in quotes is a name of something. */
const namedWord = /["“„'‘`]([\p{L}\p{N}]+)["”“'’`]/gu

export interface Surroundings {
  /** Its words may stand in the sentence. */
  readonly request: string
  /** The plan before, and the plan that is executed next. */
  readonly plans: ReadonlyArray<Plan>
  readonly tools: ReadonlyArray<Tool>
  /** Strategies that the workflow adds. */
  readonly strategies: ReadonlyArray<string>
  /** Words that the workflow adds to the technical ones. */
  readonly terms: ReadonlyArray<string>
}

/**
 * Refuses more than two sentences, code, names of tools, params, their modes, steps and strategies, in any spelling; technical words; numbers of the
 * plan; and in quotes what is not searched for.
 */
export const isPlainSentence = (message: string, around: Surroundings): boolean => {
  if (message === "" || Array.from(message).length > MAX_MESSAGE_CHARACTERS) return false
  const sentences = message.split(sentenceEnd).filter((sentence) => sentence.trim() !== "")
  if (sentences.length > MAX_SENTENCES) return false
  const { plans, request } = around
  const said = new Set(request.toLowerCase().split(/\s+/))
  const own = message.split(/\s+/).filter((token) => !said.has(token.toLowerCase()))
  if (code.test(own.join(" "))) return false
  const asked = new Set(formsOf(request))
  const searched = new Set([...asked, ...plans.flatMap(valuesOf).flatMap(formsOf)])
  for (const [, word] of message.matchAll(namedWord))
    if (!formsOf(word!).every((form) => searched.has(form))) return false
  const forms = formsOf(message)
  return namesIn(around).every(
    (name) => name.every((form) => asked.has(form)) || !holds(forms, name),
  )
}

const holds = (forms: ReadonlyArray<string>, name: ReadonlyArray<string>): boolean =>
  forms.some((_, at) => name.every((form, offset) => forms[at + offset] === form))

/** Each as the forms of its words. */
const namesIn = ({ plans, strategies: declared, terms, tools }: Surroundings) => {
  const steps = plans.flatMap((plan) => plan.steps)
  const given = [
    ...tools.flatMap(namesOf),
    ...steps.map(({ id }) => id),
    ...Object.keys(strategies),
    ...declared,
  ]
    .map(formsOf)
    .filter((name) => name.length > 1 || !closedWords().has(name[0] ?? ""))
  const numbers = plans.flatMap(valuesOf).filter((value) => /^\d+$/.test(value))
  return [...given, ...[...technicalWords, ...terms, ...numbers].map(formsOf)].filter(
    (name) => name.length > 0,
  )
}

let closed: ReadonlySet<string> | undefined

/** Words of grammar, such as "where": no sentence can do without them, also where a param has one as its name. */
const closedWords = (): ReadonlySet<string> =>
  (closed ??= new Set(
    ["en", "es"].flatMap((tag) => {
      const { functionWords, operators } = grammarOf(tag)
      const { change: _, look: __, ...others } = operators
      return [functionWords, ...Object.values(others)].flat().flatMap(formsOf)
    }),
  ))

/** The name of a tool, its params, and their modes. */
const namesOf = (tool: Tool): ReadonlyArray<string> => [
  tool.name,
  ...propertiesOf(tool).map(([name]) => name),
  ...[...modesOf(tool).values()].flat(),
]

/** Values of params, as texts. */
const valuesOf = (plan: Plan): ReadonlyArray<string> =>
  plan.steps.flatMap(({ params }) =>
    Object.values(params).flatMap((value) => (isObject(value) ? [] : [String(value)])),
  )

/** Words in their common form, without accents; `scoreThreshold` and `score_threshold` are two words. */
const formsOf = (text: string): ReadonlyArray<string> => {
  const spaced = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
  const plain = spaced.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
}
