/** Asks for the fields of an answer one by one. */
import type { Json, JsonObject, JsonSchema, Wait } from "@planloom/plugin/effect"
import { oneLine } from "../../terminal/text.ts"
import { isYesOrNo, readAnswer } from "./readAnswer.ts"
import { describeType, typesIn } from "../schemaText.ts"

export interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** The fields that are asked for; undefined for an answer that is one value. */
export const fieldsOf = ({
  options = [],
  schema,
}: Pick<Wait, "options" | "schema">): ReadonlyArray<Field> | undefined => {
  if (typeof schema === "boolean" || isYesOrNo(schema) || options.length > 0) return undefined
  const { properties, required = [] } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: ReadonlyArray<string>
  }
  const names = Object.entries(properties ?? {})
  return names.length === 0 || [...typesIn(schema)].join() !== "object"
    ? undefined
    : names.map(([name, field]) => ({ name, schema: field, isRequired: required.includes(name) }))
}

interface Terminal {
  readonly question: (prompt: string) => Promise<string>
  readonly warn: (text: string) => void
}

/** Undefined if a field that the answer needs is left empty: the question stays open. A text that begins with { is the whole answer. */
export const askFields = async (
  wait: Wait,
  fields: ReadonlyArray<Field>,
  { question, warn }: Terminal,
): Promise<Json | undefined> => {
  for (;;) {
    const answer = await answerOf(wait, fields, { question, warn })
    if (answer === undefined) return undefined
    const read = await readAnswer(wait, JSON.stringify(answer))
    if (read.mismatch === undefined) return read.value
    warn(read.mismatch)
  }
}

const answerOf = async (
  wait: Wait,
  fields: ReadonlyArray<Field>,
  { question, warn }: Terminal,
): Promise<Json | undefined> => {
  const answer: Array<readonly [string, Json]> = []
  for (const { isRequired, name, schema } of fields) {
    for (;;) {
      const given = (await question(promptOf(name, schema, isRequired))).trim()
      if (given === "" && isRequired) return undefined
      if (given === "") break
      if (answer.length === 0 && given.startsWith("{")) return parsed(given) ?? undefined
      const read = await readAnswer({ ...wait, schema }, given)
      if (read.mismatch === undefined) {
        answer.push([name, read.value])
        break
      }
      warn(read.mismatch)
    }
  }
  return Object.fromEntries(answer) as JsonObject
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** `send: yes or no [empty: later]`, with what the field is for. */
const promptOf = (name: string, schema: JsonSchema, isRequired: boolean): string => {
  const { description } = (typeof schema === "object" ? schema : {}) as {
    readonly description?: unknown
  }
  const what = [...typesIn(schema)].join() === "boolean" ? "yes or no" : describeType(schema)
  const about = typeof description === "string" ? ` (${oneLine(description)})` : ""
  return `${name}${about}: ${what} [empty: ${isRequired ? "later" : "none"}]`
}
