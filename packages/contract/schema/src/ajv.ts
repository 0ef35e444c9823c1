/** Validator for every schema: uses closures, or Ajv for keywords they do not support. Loads Ajv on first use. */
import type { Ajv, ErrorObject } from "ajv"
import type { DataValidateFunction } from "ajv/dist/types/index.js"
import { dialectOf, type Dialect } from "./dialect.ts"
import { assertedFormats, formatTest } from "./check/formats.ts"
import { library } from "./library.ts"
import { mapKeyword } from "./keywords.ts"
import { lightValidator } from "./lightValidator.ts"
import { linearPattern } from "./check/LinearPattern.ts"
import { SchemaRejected } from "./problems.ts"
import {
  isObject,
  type Json,
  type JsonSchema,
  type SchemaIssue,
  type SchemaObject,
  type Validate,
} from "./Schema.ts"
import { bounded } from "./visits.ts"

const known = new WeakMap<object, Validate>()

/**
 * Returns the cached validator of a schema object. The first validation compiles it and throws `SchemaRejected`, a `TypeError`, for an
 * invalid schema.
 */
export const validatorOf = (schema: JsonSchema): Validate => {
  if (typeof schema === "boolean") return lightValidator(schema)!
  let validate = known.get(schema)
  if (validate === undefined) {
    let made: Validate | undefined
    validate = (value) =>
      (made ??= lightValidator(schema) ?? bounded(schema, withAjv(schema)))(value)
    known.set(schema, validate)
  }
  return validate
}

/** Validates with Ajv only; for comparison in tests. */
export const withAjv = (schema: SchemaObject): Validate => {
  let check: ((value: Json) => boolean) & { errors?: null | Array<ErrorObject> }
  return (value) => {
    check ??= compile(schema)
    return check(value) ? [] : issuesOf(check.errors ?? [])
  }
}

const compile = (schema: SchemaObject) => {
  const ajv = ajvOf(dialectOf(schema))
  // Two schemas may have the same id.
  if (typeof schema["$id"] === "string") ajv.removeSchema(schema["$id"])
  try {
    const copy = withoutProto(schema)
    const check = ajv.compile(copy)
    // Ajv would cache it forever.
    ajv.removeSchema(copy)
    return check
  } catch (error) {
    throw new SchemaRejected([{ path: [], kind: "form", message: (error as Error).message }])
  }
}

/** Ajv ignores a property `__proto__`, but handles it as a pattern property. */
const withoutProto = (schema: JsonSchema): JsonSchema => {
  if (typeof schema === "boolean") return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([word, value]) => [word, mapKeyword(word, value, withoutProto)]),
  )
  const properties = copy["properties"]
  if (!isObject(properties) || !Object.hasOwn(properties, "__proto__")) return copy
  const { patternProperties, ...rest } = copy
  return {
    ...rest,
    patternProperties: {
      ...(patternProperties as object),
      "^__proto__$": properties["__proto__"],
    },
  }
}

const instances = new Map<Dialect, Ajv>()

const ajvOf = (dialect: Dialect): Ajv => {
  let ajv = instances.get(dialect)
  if (ajv === undefined) {
    const Class = dialect === "draft-07" ? library("ajv").Ajv : library("ajv/dist/2020.js").Ajv2020
    ajv = new Class({
      allErrors: true,
      strict: false,
      // `schemaProblems` has validated the schema.
      validateSchema: false,
      meta: false,
      inlineRefs: false,
      ownProperties: true,
      logger: false,
      formats: Object.fromEntries(assertedFormats.map((name) => [name, formatTest(name)!])),
      code: { regExp },
    })
    for (const keyword of ownKeywords) {
      ajv.removeKeyword(keyword)
      ajv.addKeyword({ keyword, errors: true, compile: (value) => byClosures(keyword, value) })
    }
    instances.set(dialect, ajv)
  }
  return ajv
}

/**
 * Keywords validated by closures also under Ajv, for equal messages. Also, Ajv compares values with their `toString`, which may be
 * a member of the value, and its `multipleOf` is wrong for numbers beyond 1e21.
 */
const ownKeywords = [
  "const",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "uniqueItems",
] as const

const byClosures = (keyword: string, value: unknown) => {
  const validate = lightValidator({ [keyword]: value })!
  const check: DataValidateFunction = (data) => {
    const issues = validate(data as Json)
    check.errors = issues.map(({ message }) => ({ keyword, message, params: {} }))
    return issues.length === 0
  }
  return check
}

/** Ajv caches compiled patterns by their `toString()`, so each needs a distinct one. */
const regExp = Object.assign(
  (source: string) => {
    const pattern = linearPattern(source)
    return { test: (text: string) => pattern.test(text), toString: () => `/${source}/` }
  },
  { code: "linearPattern" },
) as unknown as NonNullable<NonNullable<ConstructorParameters<typeof Ajv>[0]>["code"]>["regExp"] &
  object

const issuesOf = (errors: ReadonlyArray<ErrorObject>): ReadonlyArray<SchemaIssue> =>
  errors
    // Duplicates the issues of `then` or `else`.
    .filter(({ keyword }) => keyword !== "if")
    .map(({ instancePath: path, keyword, message = `does not fit "${keyword}"`, params }) => {
      const { additionalProperty, missingProperty } = params as {
        readonly [name: string]: string | undefined
      }
      if (missingProperty !== undefined)
        return {
          path,
          keyword,
          message: `lacks the key "${missingProperty}"`,
          property: missingProperty,
        }
      if (additionalProperty === undefined) return { path, keyword, message }
      const unknown = `has an unknown key "${additionalProperty}"`
      return { path, keyword, message: unknown, property: additionalProperty }
    })
