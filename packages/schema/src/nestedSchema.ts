/** A schema as part of another one: references to its own root find it there. */
import { mapKeyword } from "./keywords.ts"
import type { JsonSchema } from "./Schema.ts"

/** `at` is the JSON Pointer of its place in the whole, such as `/properties/value`. */
export const nestedSchema = (schema: JsonSchema, at: string): JsonSchema => {
  // References of a schema with an id of its own are relative to that.
  if (typeof schema === "boolean" || "$id" in schema) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([word, value]) => {
      // The dialect is the whole's.
      if (word === "$schema") return []
      if (word === "$ref" && typeof value === "string" && /^#(\/|$)/.test(value))
        return [[word, `#${at}${value.slice(1)}`]]
      return [[word, mapKeyword(word, value, (inner) => nestedSchema(inner, at))]]
    }),
  )
}
