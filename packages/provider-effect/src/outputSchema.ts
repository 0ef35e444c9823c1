/** A JSON Schema as the Effect Schema that `generateObject` asks for. */
import * as JsonSchema from "effect/JsonSchema"
import type { Top } from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import type { JsonSchema as Given } from "@planloom/plugin"

/**
 * Undefined for what cannot be said in Effect Schema (conditions, `contains`, a root that is no
 * object …): then the model is asked for text, and the engine reads and checks it all the same.
 * Patterns are left out for the same reason: the engine checks them, with bounded time.
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
