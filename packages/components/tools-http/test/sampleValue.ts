/** A value that fits a schema of JSON Schema or OpenAPI: what a service that keeps to its document would send. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { isObject, targetOf } from "@planloom/schema"

type Schema = { readonly [keyword: string]: any } | boolean | undefined

/** Nesting below which only required members are written: schemas may refer to themselves. */
const FULL_DEPTH = 3

export const sampleValue = (given: Schema, root: object, depth = 0): Json => {
  if (given === undefined || typeof given === "boolean") return "any"
  if (typeof given["$ref"] === "string") {
    return sampleValue(targetOf(root as never, given["$ref"]) as Schema, root, depth)
  }
  const { allOf, anyOf, const: only, enum: values, format, items, oneOf, type: types } = given
  if (only !== undefined) return only
  if (values !== undefined) return values[0]
  if (allOf !== undefined) {
    const { allOf: _, ...rest } = given
    const parts = [...allOf, rest].map((one: Schema) => sampleValue(one, root, depth))
    const objects = parts.filter((one) => isObject(one as never))
    return objects.length > 0 ? (Object.assign({}, ...objects) as Json) : parts[0]!
  }
  const choices = anyOf ?? oneOf
  if (choices !== undefined)
    return sampleValue({ ...given, anyOf: undefined, oneOf: undefined, ...choices[0] }, root, depth)
  const type = [types ?? (given["properties"] ? "object" : items ? "array" : "any")]
    .flat()
    .find((one) => one !== "null")
  switch (type) {
    case "object":
      return sampleObject(given, root, depth)
    case "array":
      return depth > FULL_DEPTH && given["minItems"] === undefined
        ? []
        : Array.from({ length: given["minItems"] ?? 1 }, () => sampleValue(items, root, depth + 1))
    case "integer":
    case "number":
      return Math.max(
        given["minimum"] ?? 1,
        (given["exclusiveMinimum"] ?? 0) === true ? given["minimum"] + 1 : 1,
      )
    case "boolean":
      return true
    case undefined:
      return null
    default:
      return sampleText(format, given)
  }
}

const sampleObject = (
  { additionalProperties, properties = {}, required = [] }: { readonly [keyword: string]: any },
  root: object,
  depth: number,
): JsonObject =>
  Object.fromEntries([
    ...Object.entries(properties)
      .filter(([name]) => depth < FULL_DEPTH || required.includes(name))
      .map(([name, inner]) => [name, sampleValue(inner as Schema, root, depth + 1)]),
    ...(isObject(additionalProperties) && depth < FULL_DEPTH
      ? [["extra", sampleValue(additionalProperties as Schema, root, depth + 1)]]
      : []),
  ])

const texts: { readonly [format: string]: string } = {
  date: "2026-03-04",
  "date-time": "2026-03-04T05:06:07Z",
  email: "ada@example.com",
  uri: "https://example.com/x",
  url: "https://example.com/x",
  uuid: "6f1c2b1e-6d0e-4a53-9a8e-2f6e5d1c7b3a",
}

const sampleText = (
  format: string | undefined,
  { maxLength, minLength = 0 }: { readonly [keyword: string]: any },
): string => (texts[format ?? ""] ?? "a b/ü&").padEnd(minLength, "x").slice(0, maxLength)
