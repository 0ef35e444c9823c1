/** Embeds a schema in another one and rewrites references to its root. */
import { mapKeyword } from "./keywords.ts"
import type { JsonSchema } from "./Schema.ts"

/** `at` is the JSON Pointer of its location in the outer schema, such as `/properties/value`. */
export const nestedSchema = (schema: JsonSchema, at: string): JsonSchema => {
  // References of a schema with an id are relative to that id.
  if (typeof schema === "boolean" || "$id" in schema) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([word, value]) => {
      // The outer schema determines the dialect.
      if (word === "$schema") return []
      if (word === "$ref" && typeof value === "string" && /^#(\/|$)/.test(value))
        return [[word, `#${at}${value.slice(1)}`]]
      return [[word, mapKeyword(word, value, (inner) => nestedSchema(inner, at))]]
    }),
  )
}
