/** Checks whether a schema fits OpenAI's strict mode. */
import type { JsonSchema } from "@planloom/plugin/effect"

/**
 * In strict mode every object is closed and requires all its properties, every schema has a type, and few keywords are
 * known; the service refuses other schemas. Source: OpenAI, Structured Outputs, "Supported schemas".
 */
export const isStrict = (schema: JsonSchema): boolean => isObject(schema) && isSupported(schema)

const isObject = (schema: JsonSchema): boolean =>
  typeof schema !== "boolean" && schema["type"] === "object" && !("anyOf" in schema)

const isSupported = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return false
  if (!Object.keys(schema).every((keyword) => keywords.has(keyword))) return false
  if (!typed.some((keyword) => keyword in schema)) return false
  const { format, pattern } = schema
  if (format !== undefined && !formats.has(format as string)) return false
  // Lookarounds and other groups with a question mark are refused.
  if (typeof pattern === "string" && pattern.includes("(?")) return false
  const properties = (schema["properties"] ?? {}) as { readonly [name: string]: JsonSchema }
  if ([schema["type"]].flat().includes("object")) {
    const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
    if (schema["additionalProperties"] !== false) return false
    if (!Object.keys(properties).every((name) => required.has(name))) return false
  }
  return [
    ...Object.values(properties),
    ...Object.values((schema["$defs"] ?? {}) as { readonly [name: string]: JsonSchema }),
    ...((schema["anyOf"] ?? []) as ReadonlyArray<JsonSchema>),
    ...(schema["items"] === undefined ? [] : [schema["items"] as JsonSchema]),
  ].every(isSupported)
}

/** One of these says what a value is. */
const typed = ["type", "anyOf", "$ref", "enum", "const"]

const keywords = new Set([
  ...typed,
  "$defs",
  "additionalProperties",
  "description",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "multipleOf",
  "pattern",
  "properties",
  "required",
  "title",
])

const formats = new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "time",
  "uuid",
])
