/** JSON Schema → a function that lists what does not fit. Simple schemas need no library. */
import type { Ajv as AjvType } from "ajv"
import type { Json, JsonSchema } from "@planloom/plugin"

/** `path` is a JSON pointer into the value, empty for the value itself. */
export interface SchemaIssue {
  readonly path: string
  readonly message: string
}

/** No issue: the value fits. `default`s of the schema are not filled in here. */
export type Validate = (value: Json) => ReadonlyArray<SchemaIssue>

const none: ReadonlyArray<SchemaIssue> = []
const known = new WeakMap<object, Validate>()
let ajv: AjvType | undefined

/** Loads the validation library. Must have finished before `validatorOf` meets a schema that needs it. */
export const loadValidation = async (schemas: Iterable<JsonSchema>): Promise<void> => {
  if (ajv !== undefined) return
  for (const schema of schemas) {
    if (simple(schema) !== undefined) continue
    // By its default: a bundler gives a CommonJS module nothing else when it is imported late.
    const { Ajv2020 } = (await import("ajv/dist/2020.js")).default
    ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateFormats: false,
      inlineRefs: false,
    }) as unknown as AjvType
    return
  }
}

/** The validator of a schema, made once per schema object. */
export const validatorOf = (schema: JsonSchema): Validate => {
  if (typeof schema === "boolean") return simple(schema)!
  let validate = known.get(schema)
  if (validate === undefined) {
    validate = simple(schema) ?? withLibrary(schema)
    known.set(schema, validate)
  }
  return validate
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

/** Annotations do not constrain; a schema with only these and a `type` is checked by hand. */
const annotations = new Set([
  "type",
  "title",
  "description",
  "default",
  "examples",
  "role",
  "$comment",
])

const simple = (schema: JsonSchema): Validate | undefined => {
  if (schema === true) return () => none
  if (schema === false) return () => [{ path: "", message: "is not allowed here" }]
  for (const keyword in schema) if (!annotations.has(keyword)) return undefined
  const type = schema["type"]
  if (type === undefined) return () => none
  if (typeof type !== "string") return undefined
  const fits = typeChecks[type]
  if (fits === undefined) return undefined
  const issues = [{ path: "", message: `must be ${type}` }]
  return (value) => (fits(value) ? none : issues)
}

const typeChecks: { readonly [type: string]: (value: Json) => boolean } = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
}
