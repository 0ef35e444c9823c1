/** The validator of every schema: by closures where they can, by Ajv, loaded at the first validation that needs it, where they cannot. */
import type { Ajv, ErrorObject } from "ajv"
import type { DataValidateFunction } from "ajv/dist/types/index.js"
import { dialectOf, type Dialect } from "./dialect.ts"
import { assertedFormats, formatTest } from "./formats.ts"
import { library } from "./library.ts"
import { mapKeyword } from "./keywords.ts"
import { lightValidator } from "./lightValidator.ts"
import { linearPattern } from "./LinearPattern.ts"
import { SchemaRejected } from "./problems.ts"
import {
  isObject,
  type Json,
  type JsonSchema,
  type SchemaIssue,
  type SchemaObject,
  type Validate,
} from "./Schema.ts"

const known = new WeakMap<object, Validate>()

/**
 * The validator of a schema, made once per schema object, at its first validation. That throws `SchemaRejected`, a `TypeError`, for a
 * schema that cannot be used.
 */
export const validatorOf = (schema: JsonSchema): Validate => {
  if (typeof schema === "boolean") return lightValidator(schema)!
  let validate = known.get(schema)
  if (validate === undefined) {
    let made: Validate | undefined
    validate = (value) => (made ??= lightValidator(schema) ?? withAjv(schema))(value)
    known.set(schema, validate)
  }
  return validate
}

/** By Ajv alone, which `validatorOf` is compared with. */
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
    // Ajv would keep it for good.
    ajv.removeSchema(copy)
    return check
  } catch (error) {
    throw new SchemaRejected([{ path: [], kind: "form", message: (error as Error).message }])
  }
}

/** Ajv passes over a property `__proto__`; as a pattern it is a key like any other. */
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
      // `schemaProblems` has checked the schema.
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
 * Keywords that are checked by closures under Ajv, too, for the same messages. Besides, Ajv compares values by calling their `toString`,
 * which may be a member of them, and its `multipleOf` is wrong for numbers beyond 1e21.
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

/** Ajv keeps compiled patterns by their `toString()`: without one of its own, every pattern would be the first. */
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
    // It only says that `then` or `else` did not fit, which have said so.
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
