/** Checks whether a schema fits OpenAI's strict mode. */
import type { JsonSchema } from "@planloom/plugin/effect"

/**
 * In strict mode every object is closed and requires all its properties; the service refuses other schemas.
 * Source: OpenAI, Structured Outputs, "Supported schemas".
 */
export const isStrict = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return false
  if (unsupported.some((keyword) => keyword in schema)) return false
  const properties = (schema["properties"] ?? {}) as { readonly [name: string]: JsonSchema }
  if (schema["type"] === "object") {
    const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
    if (schema["additionalProperties"] !== false) return false
    if (!Object.keys(properties).every((name) => required.has(name))) return false
  }
  return [
    ...Object.values(properties),
    ...Object.values((schema["$defs"] ?? {}) as { readonly [name: string]: JsonSchema }),
    ...((schema["anyOf"] ?? []) as ReadonlyArray<JsonSchema>),
    ...(schema["items"] === undefined ? [] : [schema["items"] as JsonSchema]),
  ].every(isStrict)
}

const unsupported = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "prefixItems",
  "uniqueItems",
  "default",
]
