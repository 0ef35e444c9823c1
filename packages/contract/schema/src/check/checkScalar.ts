/** Checks scalar keywords: type, choices, bounds, lengths, `pattern`, `format`. */
import { anything, type Check, refusal } from "./Check.ts"
import { formatTest } from "./formats.ts"
import { patternOf } from "../problems.ts"
import { sameJson } from "../sameJson.ts"
import { isObject, type Json, type SchemaObject } from "../Schema.ts"

const types: { readonly [type: string]: (value: Json) => boolean } = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

export const checkType = (wanted: unknown): Check => {
  const names = (Array.isArray(wanted) ? wanted : [wanted]) as ReadonlyArray<string>
  const tests = names.map((name) => types[name]!)
  const [only] = tests
  return refusal(
    "type",
    tests.length === 1 ? only! : (value) => tests.some((test) => test(value)),
    `must be ${names.join(" or ")}`,
  )
}

const checkChoice = (keyword: "const" | "enum", values: ReadonlyArray<Json>): Check => {
  const simple = new Set<Json>(
    values.filter((value) => typeof value !== "object" || value === null),
  )
  const nested = values.filter((value) => typeof value === "object" && value !== null)
  return refusal(
    keyword,
    nested.length === 0
      ? (value) => simple.has(value)
      : (value) => simple.has(value) || nested.some((choice) => sameJson(choice, value)),
    `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
  )
}

/** JSON Schema counts characters, not UTF-16 units. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

type Bounds = {
  readonly [keyword: string]: (limit: number) => {
    readonly test: (value: Json) => boolean
    readonly message: string
  }
}

const ofNumber =
  (fits: (value: number, limit: number) => boolean, words: string): Bounds[string] =>
  (limit) => ({
    test: (value) => typeof value !== "number" || fits(value, limit),
    message: `must be ${words} ${limit}`,
  })

const sized = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const bounds: Bounds = {
  minimum: ofNumber((value, limit) => value >= limit, ">="),
  maximum: ofNumber((value, limit) => value <= limit, "<="),
  exclusiveMinimum: ofNumber((value, limit) => value > limit, ">"),
  exclusiveMaximum: ofNumber((value, limit) => value < limit, "<"),
  multipleOf: ofNumber((value, limit) => Number.isInteger(value / limit), "a multiple of"),
  minLength: (limit) => ({
    // A character has one or two UTF-16 units.
    test: (value) =>
      typeof value !== "string" ||
      value.length >= 2 * limit ||
      (value.length >= limit && lengthOf(value) >= limit),
    message: limit === 1 ? "must not be empty" : `must have at least ${limit} characters`,
  }),
  maxLength: (limit) => ({
    test: (value) =>
      typeof value !== "string" ||
      value.length <= limit ||
      (value.length <= 2 * limit && lengthOf(value) <= limit),
    message: `must have at most ${sized(limit, "character")}`,
  }),
  minItems: (limit) => ({
    test: (value) => !Array.isArray(value) || value.length >= limit,
    message: `must have at least ${sized(limit, "item")}`,
  }),
  maxItems: (limit) => ({
    test: (value) => !Array.isArray(value) || value.length <= limit,
    message: `must have at most ${sized(limit, "item")}`,
  }),
  minProperties: (limit) => ({
    test: (value) => !isObject(value) || Object.keys(value).length >= limit,
    message: `must have at least ${sized(limit, "key")}`,
  }),
  maxProperties: (limit) => ({
    test: (value) => !isObject(value) || Object.keys(value).length <= limit,
    message: `must have at most ${sized(limit, "key")}`,
  }),
}

/** Compiles the pattern on first use, because most schemas of a program validate no value. */
const checkPattern = (source: string): Check =>
  refusal(
    "pattern",
    (value) => typeof value !== "string" || patternOf(source).test(value),
    `must match pattern "${source}"`,
  )

const checkFormat = (name: string): Check => {
  const test = formatTest(name)
  if (test === undefined) return anything
  return refusal(
    "format",
    (value) => typeof value !== "string" || test(value),
    `must match format "${name}"`,
  )
}

/** Checks all scalar keywords of a schema except `type`. */
export const checkScalar = (schema: SchemaObject): ReadonlyArray<Check> => {
  const checks: Array<Check> = []
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (keyword === "enum") checks.push(checkChoice(keyword, value as ReadonlyArray<Json>))
    else if (keyword === "const") checks.push(checkChoice(keyword, [value as Json]))
    else if (keyword === "pattern") checks.push(checkPattern(value as string))
    else if (keyword === "format") checks.push(checkFormat(value as string))
    else if (Object.hasOwn(bounds, keyword)) {
      const { message, test } = bounds[keyword]!(value as number)
      checks.push(refusal(keyword, test, message))
    }
  }
  return checks
}
