/** A param of a tool, and the words by which people give its value. */
import type { Json, Tool } from "@planloom/plugin/effect"
import { labelOfParam } from "@planloom/plugin/texts"
import { propertiesOf, requiredOf } from "../Tool.ts"
import { codeTest, type CodeTest } from "./codeTest.ts"
import type { Grammar } from "./words/Grammar.ts"
import { stem } from "./words/stem.ts"
import { readWords } from "./words/Word.ts"

/** A value of a param and the phrases that mean it, each as stems. */
interface SpokenValue {
  readonly value: Json
  readonly phrases: ReadonlyArray<ReadonlyArray<string>>
}

export interface SpokenParam {
  readonly name: string
  /** As people read it, in the language of the grammar. */
  readonly label: string
  readonly required: boolean
  /**
   * `text` takes words of the request as they are, `quote` only quoted ones, `code` one that passes its test; `other` is
   * never read from words.
   */
  readonly takes: "choice" | "code" | "day" | "number" | "text" | "quote" | "other"
  /** Present if `takes` is `code`. */
  readonly isCode?: CodeTest
  /** Its name, and its label if the tool gives one, as stems; empty unless the tool takes codes. */
  readonly names: ReadonlyArray<ReadonlySet<string>>
  readonly values: ReadonlyArray<SpokenValue>
  /** The type of things of the conversation that are its values, and which of their fields is given. */
  readonly entity?: { readonly type: string; readonly gives: string }
}

const DAY = /^\^?\\d\{4\}-\\d\{2\}-\\d\{2\}\$?$/

export const stemsOf = (text: string, grammar: Grammar): ReadonlyArray<string> =>
  readWords(text.replaceAll("_", " "), grammar).map(({ word }) => stem(word))

/** `role: "entity:recipient"`, or with a field of the thing: `entity:recipient.name`. */
const ENTITY = /^entity:(\w+)(?:\.(\w+))?$/

const takenBy = (
  schema: { readonly [keyword: string]: unknown },
  required: boolean,
  isSpoken: boolean,
  isCode: boolean,
): SpokenParam["takes"] => {
  if (Array.isArray(schema.enum) || isSpoken) return "choice"
  if (schema.type === "integer" || schema.type === "number") return "number"
  if (schema.type !== "string") return "other"
  if (schema.format === "date" || (typeof schema.pattern === "string" && DAY.test(schema.pattern)))
    return "day"
  if (isCode) return "code"
  if (schema.pattern !== undefined || schema.format !== undefined) return "other"
  // Only things of the conversation are values: "banana" never names a quote.
  if (ENTITY.test(String(schema.role))) return "quote"
  return required || schema.role === "query" ? "text" : "quote"
}

const entityOf = ({ role }: { readonly [keyword: string]: unknown }) => {
  const [, type, gives = "id"] = ENTITY.exec(typeof role === "string" ? role : "") ?? []
  return type === undefined ? {} : { entity: { type, gives } }
}

const namesOf = (
  { labels = {} }: Tool,
  name: string,
  label: string,
  grammar: Grammar,
): SpokenParam["names"] => {
  const words = name.split(/[_\s-]+|(?<=[a-z\d])(?=[A-Z])/)
  const own = new Set(words.map((word) => stem(word.toLowerCase())))
  return Object.hasOwn(labels, name) ? [own, new Set(stemsOf(label, grammar))] : [own]
}

export const spokenParams = (tool: Tool, grammar: Grammar): ReadonlyArray<SpokenParam> => {
  const required = requiredOf(tool)
  const tested = propertiesOf(tool).map(
    ([name, schema]) => [name, schema, codeTest(schema)] as const,
  )
  const hasCodes = tested.some(([, , isCode]) => isCode !== undefined)
  return tested.map(([name, schema, isCode]) => {
    const spoken = tool.words?.[name] ?? {}
    const isSpoken = Object.keys(spoken).length > 0
    const takes = takenBy(schema, required.includes(name), isSpoken, isCode !== undefined)
    const listed = Array.isArray(schema.enum) ? (schema.enum as ReadonlyArray<Json>) : undefined
    const values = (listed ?? Object.keys(spoken)).map((value) => ({
      value,
      phrases: (spoken[String(value)] ?? [String(value)]).map((phrase) => stemsOf(phrase, grammar)),
    }))
    const label = labelOfParam(tool, name, grammar.language)
    return {
      name,
      label,
      required: required.includes(name),
      takes,
      values,
      names: hasCodes ? namesOf(tool, name, label, grammar) : [],
      ...(takes === "code" && isCode !== undefined ? { isCode } : {}),
      ...entityOf(schema),
    }
  })
}
