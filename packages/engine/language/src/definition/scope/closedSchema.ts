/** The schema of a `with`, in which unknown keys are errors unless it allows them. */
import type { JsonSchema } from "@planloom/plugin/effect"

const closed = new WeakMap<object, JsonSchema>()

export const closedSchema = (schema: JsonSchema): JsonSchema => {
  if (typeof schema === "boolean") return schema
  if ("additionalProperties" in schema || "patternProperties" in schema) return schema
  let known = closed.get(schema)
  if (known === undefined) {
    known = { ...schema, properties: schema["properties"] ?? {}, additionalProperties: false }
    closed.set(schema, known)
  }
  return known
}
