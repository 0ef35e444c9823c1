/** JSON Schema → a function that lists what does not fit. Simple schemas need no library. */
import type { Ajv as AjvType } from "ajv"
import type { Json, JsonSchema } from "@planloom/plugin"
import { simpleValidator, type Checker, type SchemaIssue } from "./simpleValidator.ts"

export type { SchemaIssue }

/** No issue: the value fits. `default`s of the schema are not filled in here. */
export type Validate = (value: Json) => ReadonlyArray<SchemaIssue>

const none: ReadonlyArray<SchemaIssue> = []
const known = new WeakMap<object, Validate>()
let ajv: AjvType | undefined

/** Whether a schema uses keywords that only the library knows, and the library is not there yet. */
export const needsLibrary = (schema: JsonSchema): boolean =>
  ajv === undefined && byHand(schema) === undefined

/** Made once per schema object, also that it cannot be made. */
const byHand = (schema: JsonSchema): Checker | undefined => {
  if (typeof schema === "boolean") return simpleValidator(schema)
  if (!checkers.has(schema)) checkers.set(schema, simpleValidator(schema))
  return checkers.get(schema)
}

const checkers = new WeakMap<object, Checker | undefined>()

/** Loads the library when one of these schemas needs it. Must have finished before such a schema is used. */
export const loadValidation = async (schemas: Iterable<JsonSchema>): Promise<void> => {
  for (const schema of schemas) {
    if (!needsLibrary(schema)) continue
    // By its default: a bundler gives a CommonJS module nothing else when it is imported late.
    const { Ajv2020 } = (await import("ajv/dist/2020.js")).default
    ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateFormats: false,
      inlineRefs: false,
      ownProperties: true,
    }) as unknown as AjvType
    return
  }
}

/** The validator of a schema, made once per schema object. */
export const validatorOf = (schema: JsonSchema): Validate => {
  if (typeof schema === "boolean") return listing(simpleValidator(schema)!)
  let validate = known.get(schema)
  if (validate === undefined) {
    const checker = byHand(schema)
    validate = checker === undefined ? withLibrary(schema) : listing(checker)
    known.set(schema, validate)
  }
  return validate
}

const listing =
  (checker: Checker): Validate =>
  (value) => {
    const issues: Array<SchemaIssue> = []
    checker(value, "", issues)
    return issues
  }

const withLibrary = (schema: { readonly [keyword: string]: unknown }): Validate => {
  let compiled: ReturnType<AjvType["compile"]> | undefined
  return (value) => {
    if (ajv === undefined) throw new Error("validation was not loaded before it was needed")
    compiled ??= ajv.compile(schema)
    if (compiled(value)) return none
    return (compiled.errors ?? []).map((error) => ({
      path: error.instancePath,
      message: wording(error),
    }))
  }
}

const wording = (error: {
  readonly keyword: string
  readonly message?: string
  readonly params: Record<string, unknown>
}): string => {
  switch (error.keyword) {
    case "additionalProperties":
      return `has an unknown key "${String(error.params["additionalProperty"])}"`
    case "required":
      return `lacks the key "${String(error.params["missingProperty"])}"`
    case "enum":
      return `must be one of ${(error.params["allowedValues"] as Array<unknown>).map((value) => JSON.stringify(value)).join(", ")}`
    default:
      return error.message ?? error.keyword
  }
}
