/** The words by which people ask for a call of a tool: its own, and those of its params. */
import type { Json, Tool } from "@planloom/plugin/effect"
import { propertiesOf, requiredOf, writes } from "../Tool.ts"
import type { Grammar } from "./Grammar.ts"
import { readDays } from "./readDays.ts"
import { stem } from "./stem.ts"
import { readWords, type Word } from "./Word.ts"

/** A value of a param and the phrases that mean it, each as stems. */
interface SpokenValue {
  readonly value: Json
  readonly phrases: ReadonlyArray<ReadonlyArray<string>>
}

export interface SpokenParam {
  readonly name: string
  readonly required: boolean
  /**
   * `text` takes words of the request as they are, `quote` only quoted ones, `code` one with a digit that fits the pattern;
   * `other` is never read from words.
   */
  readonly takes: "choice" | "code" | "day" | "number" | "text" | "quote" | "other"
  /** Of the whole text of a `code`. */
  readonly pattern?: string
  readonly values: ReadonlyArray<SpokenValue>
  /** The type of things of the conversation that are its values, and which of their fields is given. */
  readonly entity?: { readonly type: string; readonly gives: "id" | "name" }
}

export interface CallWords {
  readonly tool: Tool
  readonly writes: boolean
  /** Stems of the tool's own words: of content and wishes in its name, summary and examples, and of its keywords. */
  readonly own: ReadonlySet<string>
  readonly params: ReadonlyArray<SpokenParam>
  /** Whether a day alone asks for the tool, as in one of its examples. */
  readonly byDay: boolean
}

const DAY = /^\^?\\d\{4\}-\\d\{2\}-\\d\{2\}\$?$/

export const stemsOf = (text: string, grammar: Grammar): ReadonlyArray<string> =>
  readWords(text.replaceAll("_", " "), grammar).map(({ word }) => stem(word))

/** Whether a pattern is one of a whole text, not of a part of it. */
const isWhole = (pattern: unknown): pattern is string =>
  typeof pattern === "string" && /^\^.*\$$/.test(pattern) && !pattern.includes("|")

/** `role: "entity:recipient"`, or `entity:recipient.name`. */
const ENTITY = /^entity:(\w+)(?:\.(id|name))?$/

const takenBy = (
  schema: { readonly [keyword: string]: unknown },
  required: boolean,
  isSpoken: boolean,
): SpokenParam["takes"] => {
  if (Array.isArray(schema.enum) || isSpoken) return "choice"
  if (schema.type === "integer" || schema.type === "number") return "number"
  if (schema.type !== "string") return "other"
  if (schema.format === "date" || (typeof schema.pattern === "string" && DAY.test(schema.pattern)))
    return "day"
  if (isWhole(schema.pattern)) return "code"
  if (schema.pattern !== undefined || schema.format !== undefined) return "other"
  // Only things of the conversation are values: "banana" never names a quote.
  if (ENTITY.test(String(schema.role))) return "quote"
  return required || schema.role === "query" ? "text" : "quote"
}

const entityOf = ({ role }: { readonly [keyword: string]: unknown }) => {
  const [, type, gives = "id"] = ENTITY.exec(typeof role === "string" ? role : "") ?? []
  return type === undefined ? {} : { entity: { type, gives: gives as "id" | "name" } }
}

const paramsOf = (tool: Tool, grammar: Grammar): ReadonlyArray<SpokenParam> => {
  const required = requiredOf(tool)
  return propertiesOf(tool).map(([name, schema]) => {
    const spoken = tool.words?.[name] ?? {}
    const takes = takenBy(schema, required.includes(name), Object.keys(spoken).length > 0)
    const listed = Array.isArray(schema.enum) ? (schema.enum as ReadonlyArray<Json>) : undefined
    const values = (listed ?? Object.keys(spoken)).map((value) => ({
      value,
      phrases: (spoken[String(value)] ?? [String(value)]).map((phrase) => stemsOf(phrase, grammar)),
    }))
    return {
      name,
      required: required.includes(name),
      takes,
      values,
      ...(takes === "code" ? { pattern: schema.pattern as string } : {}),
      ...entityOf(schema),
    }
  })
}

/** Stems of a keyword without content: of its operators, or of function words alone. */
const saidOf = (keyword: string, grammar: Grammar): ReadonlyArray<string> => {
  const words = readWords(keyword, grammar)
  const operators = words.filter((word) => word.class === "operator")
  return (operators.length === 0 ? words : operators).map(({ word }) => stem(word))
}

/** Any day: only the places of days in an example matter. */
const SOME_DAY = "2026-01-01"

/** Whether an example names a day and nothing else, such as "what do I have tomorrow". */
const isAskedByDay = ({ examples = [] }: Tool, grammar: Grammar): boolean =>
  examples.some((example) => {
    const spans = readDays(example, SOME_DAY)?.spans ?? []
    const isDay = (word: Word) =>
      spans.some(({ end, start }) => word.start < end && start < word.end)
    return (
      spans.length > 0 &&
      readWords(example, grammar).every(
        (word) => isDay(word) || word.class === "function" || word.operator === "question",
      )
    )
  })

/** Words of examples of a tool that takes free text are mostly values: only those that several examples share count. */
const SHARED = 2

const ownOf = (
  tool: Tool,
  params: ReadonlyArray<SpokenParam>,
  grammar: Grammar,
): ReadonlySet<string> => {
  const contentOf = (text: string) =>
    readWords(text.replaceAll("_", " "), grammar).flatMap((word) =>
      word.class === "content" || word.operator === "change" || word.operator === "look"
        ? [stem(word.word)]
        : [],
    )
  const { examples = [], keywords = [], name, summary } = tool
  const counts = new Map<string, number>()
  for (const example of examples)
    for (const word of new Set(contentOf(example))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const least = params.some(({ takes }) => takes === "text") ? SHARED : 1
  return new Set([
    ...[name, summary].flatMap(contentOf),
    ...keywords.flatMap((keyword) => {
      const content = contentOf(keyword)
      // "all" and "any" are keywords, too; the "on" of "worked on" is not.
      return content.length === 0 ? saidOf(keyword, grammar) : content
    }),
    ...[...counts].flatMap(([word, count]) => (count >= least ? [word] : [])),
  ])
}

export const callWords = (tool: Tool, grammar: Grammar): CallWords => {
  const params = paramsOf(tool, grammar)
  return {
    tool,
    writes: writes(tool),
    own: ownOf(tool, params, grammar),
    params,
    byDay: params.some(({ takes }) => takes === "day") && isAskedByDay(tool, grammar),
  }
}
