/** Checks a value against a JSON Schema and describes each mismatch for the author of a call. */
import { rejectionOf, type SchemaIssue } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { sameJson } from "@planloom/schema"
import { isObject } from "../Json.ts"
import type { Json, JsonSchema } from "@planloom/plugin/effect"

export type ValuePath = ReadonlyArray<string | number>

export interface ValueMismatch {
  readonly path: ValuePath
  readonly code: "missing" | "unknown" | "type" | "enum" | "range"
  /** One sentence without the path. */
  readonly message: string
}

type Schema = { readonly [keyword: string]: unknown }

const typeOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  return typeof value
}

const isOfType = (value: unknown, type: string): boolean => {
  const actual = typeOf(value)
  return actual === type || (type === "number" && actual === "integer")
}

const list = (values: ReadonlyArray<unknown>): string =>
  values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ")

const shortly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** All mismatches, outermost first; empty if the value is valid by the engine's own validator. */
export const checkValue = (
  schema: JsonSchema,
  value: Json | undefined,
): ReadonlyArray<ValueMismatch> => {
  // A schema that cannot be used is refused by the engine, at the call.
  if (value === undefined || rejectionOf(schema) !== undefined) return explained(schema, value, [])
  const issues = validatorOf(schema)(value)
  if (issues.length === 0) return []
  const mismatches = explained(schema, value, [])
  return mismatches.length === 0 ? issues.map((issue) => mismatchOf(issue, value)) : mismatches
}

/** A mismatch that only the validator reports, such as of a pattern or a reference. */
const mismatchOf = (
  { keyword, message, path, property }: SchemaIssue,
  value: Json,
): ValueMismatch => {
  let inner: unknown = value
  const at = path
    .split("/")
    .slice(1)
    .map((step) => {
      const key = Array.isArray(inner)
        ? Number(step)
        : step.replaceAll("~1", "/").replaceAll("~0", "~")
      inner = (inner as { readonly [key: string | number]: unknown } | undefined)?.[key]
      return key
    })
  if (keyword === "required")
    return { path: [...at, property!], code: "missing", message: "is missing" }
  if (keyword === "additionalProperties")
    return { path: [...at, property!], code: "unknown", message: "is not allowed" }
  if (keyword === "type") return { path: at, code: "type", message }
  return { path: at, code: keyword === "enum" || keyword === "const" ? "enum" : "range", message }
}

/** Mismatches with specific messages, for the keywords that tool arguments mostly use. */
const explained = (
  schema: JsonSchema,
  value: Json | undefined,
  path: ValuePath,
): ReadonlyArray<ValueMismatch> => {
  const mismatch = (code: ValueMismatch["code"], message: string): ValueMismatch => ({
    path,
    code,
    message,
  })
  if (schema === true) return []
  if (schema === false) return [mismatch("unknown", "nothing is allowed here")]
  const { type } = schema
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).map(String)
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return [mismatch("type", `must be ${types.join(" or ")}, not ${shortly(value)}`)]
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => sameJson(one, value))) {
    return [mismatch("enum", `must be one of ${list(schema.enum)}, not ${shortly(value)}`)]
  }
  if (Object.hasOwn(schema, "const") && !sameJson(schema.const, value)) {
    return [mismatch("enum", `must be ${list([schema.const])}, not ${shortly(value)}`)]
  }
  return [
    ...checkBounds(schema, value).map((message) => mismatch("range", message)),
    ...checkItems(schema, value, path),
    ...checkProperties(schema, value, path),
    ...checkCombinations(schema, value, path),
  ]
}

/** In the order value, bound: keyword → [size of the value, what must hold, words]. */
const checkBounds = (schema: Schema, value: unknown): ReadonlyArray<string> => {
  const mismatches: Array<string> = []
  const expect = (keyword: string, holds: (bound: number) => boolean, words: string) => {
    const bound = schema[keyword]
    if (typeof bound === "number" && !holds(bound)) mismatches.push(`${words} ${bound}`)
  }
  if (typeof value === "number") {
    expect("minimum", (bound) => value >= bound, "must be at least")
    expect("maximum", (bound) => value <= bound, "must be at most")
    expect("exclusiveMinimum", (bound) => value > bound, "must be more than")
    expect("exclusiveMaximum", (bound) => value < bound, "must be less than")
  }
  if (typeof value === "string") {
    expect("minLength", (bound) => value.length >= bound, "must have a length of at least")
    expect("maxLength", (bound) => value.length <= bound, "must have a length of at most")
  }
  if (Array.isArray(value)) {
    expect("minItems", (bound) => value.length >= bound, "must have a number of items of at least")
    expect("maxItems", (bound) => value.length <= bound, "must have a number of items of at most")
    const repeats = value.some((one, at) => value.slice(0, at).some((two) => sameJson(one, two)))
    if (schema.uniqueItems === true && repeats) mismatches.push("must not repeat an item")
  }
  return mismatches
}

const checkItems = (
  schema: Schema,
  value: unknown,
  path: ValuePath,
): ReadonlyArray<ValueMismatch> =>
  Array.isArray(value) && schema.items !== undefined
    ? value.flatMap((item, at) => explained(schema.items as JsonSchema, item, [...path, at]))
    : []

const checkProperties = (
  schema: Schema,
  value: unknown,
  path: ValuePath,
): ReadonlyArray<ValueMismatch> => {
  if (!isObject(value)) return []
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): ValueMismatch => ({
      path: [...path, name],
      code: "missing",
      message: "is missing",
    }))
  const present = Object.entries(value).flatMap(([name, item]) => {
    const at = [...path, name]
    if (Object.hasOwn(properties, name)) {
      return explained(properties[name] as JsonSchema, item as Json, at)
    }
    const rest = schema.additionalProperties
    if (rest === undefined) return []
    if (rest !== false) return explained(rest as JsonSchema, item as Json, at)
    const known = Object.keys(properties)
    const message = known.length === 0 ? "takes no arguments" : `is not one of ${list(known)}`
    return [{ path: at, code: "unknown", message } as const]
  })
  return [...missing, ...present]
}

const checkCombinations = (
  schema: Schema,
  value: unknown,
  path: ValuePath,
): ReadonlyArray<ValueMismatch> => {
  const mismatchesOf = (part: unknown) => explained(part as JsonSchema, value as Json, path)
  const mismatches = Array.isArray(schema.allOf) ? schema.allOf.flatMap(mismatchesOf) : []
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const parts = schema[keyword]
    if (!Array.isArray(parts)) continue
    const results = parts.map(mismatchesOf)
    const fitting = results.filter((result) => result.length === 0).length
    if (fitting === 0) {
      // The branch with the fewest mismatches is the most informative one.
      mismatches.push(...results.reduce((best, next) => (next.length < best.length ? next : best)))
    } else if (keyword === "oneOf" && fitting > 1) {
      mismatches.push({ path, code: "type", message: "fits more than one of its alternatives" })
    }
  }
  return mismatches
}
