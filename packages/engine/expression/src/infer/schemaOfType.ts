/** Converts an expression type to a JSON Schema, for what is derived from inferred types. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { fieldIn, namesIn, type ObjectType, type Type } from "./Type.ts"

/** Deeper values are any value: a recursive schema gives a type without an end. */
const MAX_DEPTH = 12

export const schemaOfType = (type: Type, depth = 0): JsonSchema => {
  if (depth > MAX_DEPTH) return true
  switch (type.kind) {
    case "any":
      return true
    case "never":
      return false
    case "null":
      return { type: "null" }
    case "bool":
      return { type: "boolean" }
    case "int":
      return { type: "integer" }
    case "number":
      return { type: "number" }
    case "string":
      return { type: "string", ...(type.values && { enum: type.values }) }
    case "list":
      return { type: "array", items: schemaOfType(type.item, depth + 1) }
    case "union":
      return { anyOf: type.members.map((member) => schemaOfType(member, depth + 1)) }
    case "object":
      return objectSchema(type, depth + 1)
  }
}

const objectSchema = (type: ObjectType, depth: number): JsonSchema => {
  const fields = namesIn(type).map((name) => [name, fieldIn(type, name)!] as const)
  const rest =
    type.rest === undefined ? {} : { additionalProperties: schemaOfType(type.rest, depth) }
  if (fields.length === 0) return { type: "object", ...rest }
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, schemaOfType(field.type, depth)]),
    ),
    required: fields.flatMap(([name, { optional }]) => (optional ? [] : [name])),
    ...rest,
  }
}
