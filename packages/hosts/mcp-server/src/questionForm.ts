/** A question as a form of `elicitation/create`, whose fields are flat, and the answer that a filled form means. */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server"
import type { Json, JsonObject, JsonSchema, Wait } from "@planloom/plugin/effect"
import { questionText } from "./questionText.ts"

export interface QuestionForm {
  readonly params: ElicitRequestFormParams
  /** The answer of a filled form; the API checks it. */
  readonly answerOf: (content: JsonObject) => Json
}

/** Characters that a form shows. A person who approves has to see all of what they approve. */
const MAX_SHOWN_CHARS = 8000

/** Name of the field of an answer that is no object. */
const ANSWER = "answer"

/** Undefined for an answer that a flat form cannot ask for, a text that is too long for one, and a timer. */
export const questionForm = (wait: Wait): QuestionForm | undefined => {
  const message = questionText(wait)
  if (wait.kind === "timer" || message.length > MAX_SHOWN_CHARS) return undefined
  const { schema } = wait
  const whole = fieldOf(schema)
  if (whole !== undefined) {
    return {
      params: formOf(message, { [ANSWER]: whole.schema }, [ANSWER]),
      answerOf: (content) => whole.read(content[ANSWER] ?? null),
    }
  }
  const fields = fieldsOf(schema)
  if (fields === undefined) return undefined
  const { properties, required } = fields
  return {
    params: formOf(
      message,
      Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.schema])),
      required,
    ),
    answerOf: (content) =>
      Object.fromEntries(
        Object.entries(content).map(([name, value]) => [
          name,
          Object.hasOwn(properties, name) ? properties[name]!.read(value) : value,
        ]),
      ),
  }
}

const formOf = (
  message: string,
  properties: { readonly [name: string]: JsonObject },
  required: ReadonlyArray<string>,
): ElicitRequestFormParams =>
  ({
    mode: "form",
    message,
    requestedSchema: { type: "object", properties, required },
  }) as unknown as ElicitRequestFormParams

interface Field {
  readonly schema: JsonObject
  /** The value that the field's text stands for. */
  readonly read: (value: Json) => Json
}

const fieldsOf = (
  schema: JsonSchema,
):
  | { readonly properties: { readonly [name: string]: Field }; readonly required: Array<string> }
  | undefined => {
  if (typeof schema === "boolean" || schema["type"] !== "object") return undefined
  const { properties = {}, required = [] } = schema as unknown as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: Array<string>
  }
  const fields = Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const field = fieldOf(property)
      return field === undefined ? [] : [[name, field]]
    }),
  )
  // A form without a required field could not give a valid answer.
  const isWhole = required.every((name) => Object.hasOwn(fields, name))
  return Object.keys(fields).length === 0 || !isWhole ? undefined : { properties: fields, required }
}

const same = (value: Json): Json => value

const ANNOTATIONS = ["title", "description", "default"]

/** Keywords that a form may have, by type; the API checks what they leave out, such as a pattern. */
const KEYWORDS: { readonly [type: string]: ReadonlyArray<string> } = {
  string: ["minLength", "maxLength"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  boolean: [],
}

const FORMATS = ["email", "uri", "date", "date-time"]

const fieldOf = (schema: JsonSchema): Field | undefined => {
  if (typeof schema === "boolean") return undefined
  const { format, items, type } = schema as JsonObject
  const choices = choicesIn(schema as JsonObject)
  if (choices !== undefined) {
    return choices.length === 0
      ? undefined
      : {
          schema: {
            ...picked(schema as JsonObject, ANNOTATIONS),
            type: "string",
            ...choiceKeywords(choices, "oneOf"),
          },
          read: (text) => valueOf(choices, text),
        }
  }
  if (type === "array") return severalOf(schema as JsonObject, items)
  if (typeof type !== "string" || !Object.hasOwn(KEYWORDS, type)) return undefined
  return {
    schema: {
      ...picked(schema as JsonObject, [...ANNOTATIONS, ...KEYWORDS[type]!]),
      type,
      ...(FORMATS.includes(format as string) ? { format: format! } : {}),
    },
    read: same,
  }
}

/** A field for any number of choices. */
const severalOf = (schema: JsonObject, items: Json | undefined): Field | undefined => {
  const choices = choicesIn((items ?? {}) as JsonObject)
  if (choices === undefined || choices.length === 0) return undefined
  return {
    schema: {
      ...picked(schema, [...ANNOTATIONS, "minItems", "maxItems"]),
      type: "array",
      items: {
        ...choiceKeywords(choices, "anyOf"),
        ...(isTitled(choices) ? {} : { type: "string" }),
      },
    },
    read: (texts) =>
      Array.isArray(texts) ? texts.map((text) => valueOf(choices, text)) : (texts as Json),
  }
}

/** A form offers texts: other values by their JSON. */
interface Choice {
  readonly text: string
  readonly value: Json
  readonly title?: string
}

/** The values that a schema lists; empty if two of them have one text, undefined for a schema that lists none. */
const choicesIn = (schema: JsonObject): ReadonlyArray<Choice> | undefined => {
  const { enum: values } = schema
  const named = (schema["oneOf"] ?? schema["anyOf"]) as ReadonlyArray<JsonObject> | undefined
  const listed = Array.isArray(values)
    ? values.map((value: Json) => ({ value }))
    : named?.every((one) => Object.hasOwn(one, "const")) === true
      ? named.map(({ const: value, title }) => ({
          value: value!,
          ...(typeof title === "string" ? { title } : {}),
        }))
      : undefined
  const choices = listed?.map((one) => ({ ...one, text: textOf(one.value) }))
  return new Set(choices?.map(({ text }) => text)).size === (choices?.length ?? 0) ? choices : []
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))

const isTitled = (choices: ReadonlyArray<Choice>): boolean =>
  choices.some(({ title }) => title !== undefined)

const choiceKeywords = (choices: ReadonlyArray<Choice>, titled: "anyOf" | "oneOf"): JsonObject =>
  isTitled(choices)
    ? { [titled]: choices.map(({ text, title = text }) => ({ const: text, title })) }
    : { enum: choices.map(({ text }) => text) }

const valueOf = (choices: ReadonlyArray<Choice>, text: Json): Json => {
  const found = choices.find((one) => one.text === text)
  return found === undefined ? text : found.value
}

const picked = (schema: JsonObject, names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]!]])),
  )
