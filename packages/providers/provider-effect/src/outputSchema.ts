/** Converts a JSON Schema to the Effect Schema that `generateObject` requires. */
import * as JsonSchema from "effect/JsonSchema"
import type { Top } from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import type { JsonSchema as Given } from "@planloom/plugin/effect"

/**
 * Undefined for schemas that Effect Schema cannot express (conditions, `contains`, a root that is not an object …):
 * JSON is then requested as text, which the engine parses and validates. Patterns are omitted: the engine checks
 * them, in bounded time.
 */
export const outputSchema = (schema: Given): Top | undefined => {
  if (typeof schema === "boolean" || schema["type"] !== "object") return undefined
  try {
    const document =
      "definitions" in schema
        ? JsonSchema.fromSchemaDraft07(schema)
        : JsonSchema.fromSchemaDraft2020_12(schema)
    return SchemaRepresentation.fromJsonSchemaDocument(document, { patterns: "ignore" })
  } catch {
    return undefined
  }
}
