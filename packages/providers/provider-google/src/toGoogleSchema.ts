/** Reduces a JSON Schema to the keywords that Gemini documents; the engine checks the whole schema afterwards. */
import type { JsonSchema } from "@planloom/plugin/effect"

type ObjectSchema = { readonly [keyword: string]: unknown }

/** Source: Gemini API, GenerationConfig, `responseJsonSchema`. */
const kept = new Set([
  "$anchor",
  "$id",
  "$ref",
  "description",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "propertyOrdering",
  "required",
  "title",
  "type",
])
const formats = new Set(["date", "date-time", "time"])
const lists = ["anyOf", "oneOf", "prefixItems"]
const maps = ["properties", "$defs"]
const single = ["items", "additionalProperties"]

/** Other constraints are named in the description, where the model reads them. */
export const toGoogleSchema = (schema: JsonSchema): JsonSchema =>
  typeof schema === "boolean" ? schema : reduced(schema as ObjectSchema)

const reduced = (schema: ObjectSchema): JsonSchema => {
  const result: { [keyword: string]: unknown } = {}
  const dropped: Array<string> = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (kept.has(keyword)) result[keyword] = value
    else if (lists.includes(keyword)) result[keyword] = (value as Array<JsonSchema>).map(inner)
    else if (maps.includes(keyword)) result[keyword] = mapped(value as ObjectSchema)
    else if (single.includes(keyword)) {
      result[keyword] = typeof value === "boolean" ? value : inner(value as JsonSchema)
    } else if (keyword === "definitions") result["$defs"] = mapped(value as ObjectSchema)
    else if (keyword === "enum" && isPlain(value)) result["enum"] = value
    else if (keyword === "const" && isPlain([value])) result["enum"] = [value]
    else if (keyword === "format" && formats.has(value as string)) result["format"] = value
    else if (!unspoken.has(keyword)) dropped.push(`${keyword}: ${JSON.stringify(value)}`)
  }
  if (typeof result["$ref"] === "string") {
    // Beside a reference only keywords with a dollar sign are accepted.
    return onlyReference(result)
  }
  if (dropped.length > 0) {
    const { description } = result
    const rules = `Constraints: ${dropped.join(", ")}`
    result["description"] = typeof description === "string" ? `${description} ${rules}` : rules
  }
  return result
}

/** `true` and `false` are no schemas for the service: any value is described by an empty one. */
const inner = (schema: JsonSchema): JsonSchema =>
  typeof schema === "boolean" ? {} : reduced(schema as ObjectSchema)

const mapped = (schemas: ObjectSchema) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, inner(schema as JsonSchema)]),
  )

const onlyReference = (schema: ObjectSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword.startsWith("$"))
      .map(([keyword, value]) => [
        keyword,
        keyword === "$ref" ? String(value).replace("#/definitions/", "#/$defs/") : value,
      ]),
  )

/** Enums of texts and numbers only. */
const isPlain = (values: unknown): boolean =>
  Array.isArray(values) &&
  values.every((value) => typeof value === "string" || typeof value === "number")

/** Keywords that constrain nothing. */
const unspoken = new Set(["$comment", "$schema", "default", "examples"])
