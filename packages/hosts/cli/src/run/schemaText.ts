/** Describes a JSON Schema in a few words. */
import type { JsonSchema } from "@planloom/plugin/effect"

/** Returns the JSON types that a schema declares, directly or by the values of `enum` and `const`. */
export const typesIn = (schema: JsonSchema): ReadonlySet<string> => {
  if (typeof schema === "boolean") return new Set()
  const { anyOf, const: constant, enum: values, oneOf, type } = schema
  if (typeof type === "string") return new Set([type])
  if (Array.isArray(type)) return new Set(type as ReadonlyArray<string>)
  const union = (anyOf ?? oneOf) as ReadonlyArray<JsonSchema> | undefined
  if (Array.isArray(union)) return new Set(union.flatMap((one) => [...typesIn(one)]))
  const known = Array.isArray(values) ? values : constant === undefined ? [] : [constant]
  return new Set(known.map(jsonType))
}

const jsonType = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** Returns for example `a whole number from 1 to 32`, `one of "a", "b"`, `a list of texts`. */
export const describeType = (schema: JsonSchema): string => {
  if (typeof schema === "boolean") return "anything"
  const values = schema["enum"]
  if (Array.isArray(values))
    return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`
  const fields = fieldsOf(schema)
  if (fields.length > 0) return `an object with ${fields.join(", ")}`
  const words = [...typesIn(schema)].map((type) => nouns[type] ?? type)
  const items = schema["items"] as JsonSchema | undefined
  const of =
    items === undefined
      ? ""
      : ` of ${[...typesIn(items)].map((type) => plurals[type] ?? type).join(" or ")}`
  return (words.length === 0 ? "anything" : words.join(" or ")) + of + range(schema)
}

/** Returns for example `later: true or false`, `why?: text`. */
const fieldsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: ReadonlyArray<string>
  }
  return Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${describeType(field)}`,
  )
}

const nouns: { readonly [type: string]: string } = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
}

const plurals: { readonly [type: string]: string } = {
  string: "texts",
  integer: "whole numbers",
  number: "numbers",
  boolean: "true or false",
  array: "lists",
  object: "objects",
}

const range = ({ maximum, minimum }: { readonly [keyword: string]: unknown }): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  if (maximum !== undefined) return `, at most ${maximum}`
  return ""
}
