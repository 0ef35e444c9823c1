/** The shape of a JSON Schema as authors write it: draft-07 words, each of the right form. */
import type { Json, JsonSchema } from "@planloom/plugin"
import { suggest } from "@planloom/expression/suggestion"
import { isObject, wrongType } from "../Shape.ts"
import type { DecodeContext, Shape } from "../Shape.ts"

const types = ["string", "integer", "number", "boolean", "object", "array", "null"]

type Form = "schema" | "schemas" | "schemaMap" | "any" | "names" | "number" | "text" | "flag"

/** Every word, with the form of its value. Draft-07 and the words of 2020-12 that replace some of it. */
const words: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    text: "$schema $id $ref $comment title description format pattern",
    schemaMap: "$defs definitions properties patternProperties",
    any: "default examples type enum const items dependencies",
    flag: "deprecated readOnly writeOnly uniqueItems personal",
    number:
      "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties",
    schemas: "prefixItems allOf anyOf oneOf",
    schema: "additionalItems contains additionalProperties propertyNames not if then else",
    names: "required",
  }).flatMap(([form, list]) => list.split(" ").map((word) => [word, form as Form] as const)),
)

const expected = "a JSON Schema, such as { type: string }"

export const jsonSchema: Shape<JsonSchema> = {
  kind: "jsonSchema",
  expected,
  decode: (value, context) => {
    checkSchema(value, context)
    return isObject(value) || typeof value === "boolean" ? (value as JsonSchema) : true
  },
  schema: () => ({
    anyOf: [{ type: "boolean" }, { $ref: "http://json-schema.org/draft-07/schema#" }],
  }),
}

/** Says everything that is not JSON Schema in a value that should be one. */
export const checkSchema = (
  value: Json,
  context: DecodeContext,
  ownKeys: ReadonlyArray<string> = [],
): void => {
  if (typeof value === "boolean") return
  if (!isObject(value)) {
    const short = typeof value === "string" && types.includes(value) ? value : undefined
    wrongType(context, expected, value, short && `write { type: ${short} }`)
    return
  }
  for (const [word, entry] of Object.entries(value)) {
    if (ownKeys.includes(word) || word.startsWith("x-")) continue
    const form = words.get(word)
    if (form === undefined) {
      const near = suggest(word, [...words.keys(), ...ownKeys])
      context.at(word).problem({
        code: "PL0109",
        message: `"${word}" is not a word of JSON Schema`,
        help: near === undefined ? "a word of your own begins with x-" : `did you mean "${near}"?`,
        spot: "key",
      })
    } else checkWord(word, form, entry, context.at(word))
  }
}

const checkWord = (word: string, form: Form, value: Json, context: DecodeContext): void => {
  const wrong = (message: string, help?: string): void =>
    context.problem({ code: "PL0109", message, help })
  if (word === "type") return checkType(value, context)
  if (word === "items" && !Array.isArray(value)) return checkSchema(value, context)
  switch (form) {
    case "schema":
      return checkSchema(value, context)
    case "schemas":
      if (!Array.isArray(value)) return wrong(`"${word}" is a list of schemas`)
      return value.forEach((entry: Json, index) => checkSchema(entry, context.at(index)))
    case "schemaMap":
      if (!isObject(value)) return wrong(`"${word}" is a mapping of name to schema`)
      for (const [name, entry] of Object.entries(value)) checkSchema(entry, context.at(name))
      return
    case "names":
      if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return
      return wrong(
        `"${word}" is a list of property names`,
        typeof value === "boolean" ? "an input without a default is required anyway" : undefined,
      )
    case "number":
      return typeof value === "number" ? undefined : wrong(`"${word}" is a number`)
    case "text":
      return typeof value === "string" ? undefined : wrong(`"${word}" is text`)
    case "flag":
      return typeof value === "boolean" ? undefined : wrong(`"${word}" is true or false`)
    default:
  }
}

const foreignTypes: { readonly [word: string]: string } = {
  str: "string",
  text: "string",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  list: "array",
  map: "object",
  dict: "object",
  mapping: "object",
}

const checkType = (value: Json, context: DecodeContext): void => {
  for (const type of Array.isArray(value) ? value : [value]) {
    if (typeof type === "string" && types.includes(type)) continue
    const near = typeof type === "string" ? (foreignTypes[type] ?? suggest(type, types)) : undefined
    const listed = `it is one of: ${types.join(", ")}`
    context.problem({
      code: "PL0109",
      message: `${JSON.stringify(type)} is not a type of JSON Schema`,
      help: near === undefined ? listed : `did you mean "${near}"? ${listed}`,
    })
  }
}
