/** The keywords that most schemas are made of, checked by closures: no library to load, nothing to generate. */
import type { Json, JsonSchema } from "@planloom/plugin"

/** `path` is a JSON pointer into the value, empty for the value itself. */
export interface SchemaIssue {
  readonly path: string
  readonly message: string
}

/** Adds what does not fit to `issues`; `path` is a JSON pointer to `value`. */
export type Checker = (value: Json, path: string, issues: Array<SchemaIssue>) => void

type Keywords = { readonly [keyword: string]: unknown }

/** Keywords that say something to people and constrain nothing. */
const annotations = new Set([
  "title",
  "description",
  "default",
  "examples",
  "role",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly",
])

/** Undefined when the schema uses a keyword that is not one of these; then the library is asked. */
export const simpleValidator = (schema: JsonSchema): Checker | undefined => {
  if (schema === true) return () => undefined
  if (schema === false)
    return (_, path, issues) => void issues.push({ path, message: "is not allowed here" })
  const checkers: Array<Checker> = []
  for (const keyword in schema) {
    if (annotations.has(keyword)) continue
    const make = makers[keyword]
    const checker = make?.(schema[keyword], schema)
    if (checker === undefined) return undefined
    if (checker !== nothing) checkers.push(checker)
  }
  const [only] = checkers
  if (checkers.length === 1 && only !== undefined) return only
  return (value, path, issues) => {
    for (const checker of checkers) checker(value, path, issues)
  }
}

/** Checked together with its neighbour keyword. */
const nothing: Checker = () => undefined

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Names that every object inherits must be asked for; all others are read. */
const own = (value: { readonly [key: string]: Json }, key: string): Json | undefined =>
  key in Object.prototype && !Object.hasOwn(value, key) ? undefined : value[key]

const types: { readonly [type: string]: (value: Json) => boolean } = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

const type = (wanted: unknown): Checker | undefined => {
  const names = Array.isArray(wanted) ? wanted : [wanted]
  const fits = names.map((name) => types[String(name)])
  if (fits.some((each) => each === undefined)) return undefined
  const message = `must be ${names.join(" or ")}`
  const [only] = fits
  const passes = fits.length === 1 ? only! : (value: Json) => fits.some((each) => each!(value))
  return (value, path, issues) => {
    if (!passes(value)) issues.push({ path, message })
  }
}

/** A checker for numbers and the like: applies where `measure` gives a number, and compares it. */
const bound =
  (
    measure: (value: Json) => number | undefined,
    fits: (measured: number, limit: number) => boolean,
    message: (limit: number) => string,
  ) =>
  (limit: unknown): Checker | undefined => {
    if (typeof limit !== "number") return undefined
    const issue = message(limit)
    return (value, path, issues) => {
      const measured = measure(value)
      if (measured !== undefined && !fits(measured, limit)) issues.push({ path, message: issue })
    }
  }

const asNumber = (value: Json) => (typeof value === "number" ? value : undefined)
/** JSON Schema counts characters, not UTF-16 units. */
const asLength = (value: Json) => {
  if (typeof value !== "string") return undefined
  let length = 0
  for (const _ of value) length++
  return length
}
const asSize = (value: Json) => (Array.isArray(value) ? value.length : undefined)
const atLeast = (measured: number, limit: number) => measured >= limit
const atMost = (measured: number, limit: number) => measured <= limit

const properties = (given: unknown, schema: Keywords): Checker | undefined => {
  const known: Array<readonly [string, string, Checker]> = []
  for (const [key, inner] of Object.entries((given ?? {}) as { [key: string]: JsonSchema })) {
    const checker = simpleValidator(inner)
    if (checker === undefined) return undefined
    known.push([key, `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, checker])
  }
  const extra = additional(schema["additionalProperties"], new Set(known.map(([key]) => key)))
  if (extra === undefined) return undefined
  return (value, path, issues) => {
    if (!isObject(value)) return
    for (const [key, step, checker] of known) {
      const inner = own(value, key)
      if (inner !== undefined) checker(inner, path + step, issues)
    }
    extra(value, path, issues)
  }
}

const additional = (given: unknown, known: ReadonlySet<string>): Checker | undefined => {
  if (given === undefined || given === true) return nothing
  const checker = given === false ? undefined : simpleValidator(given as JsonSchema)
  if (given !== false && checker === undefined) return undefined
  return (value, path, issues) => {
    for (const key of Object.keys(value as object)) {
      if (known.has(key)) continue
      if (checker === undefined) issues.push({ path, message: `has an unknown key "${key}"` })
      else checker((value as { [key: string]: Json })[key]!, `${path}/${key}`, issues)
    }
  }
}

const required = (given: unknown): Checker | undefined => {
  if (!Array.isArray(given)) return undefined
  const keys = given as ReadonlyArray<string>
  return (value, path, issues) => {
    if (!isObject(value)) return
    for (const key of keys) {
      if (own(value, key) === undefined) issues.push({ path, message: `lacks the key "${key}"` })
    }
  }
}

const items = (given: unknown): Checker | undefined => {
  if (Array.isArray(given)) return undefined
  const checker = simpleValidator(given as JsonSchema)
  if (checker === undefined) return undefined
  return (value, path, issues) => {
    if (!Array.isArray(value)) return
    for (let index = 0; index < value.length; index++) {
      checker(value[index] as Json, `${path}/${index}`, issues)
    }
  }
}

const oneOfValues = (values: ReadonlyArray<unknown>): Checker | undefined => {
  if (values.some((value) => typeof value === "object" && value !== null)) return undefined
  const allowed = new Set(values)
  const message = `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`
  return (value, path, issues) => {
    if (!allowed.has(value)) issues.push({ path, message })
  }
}

const anyOf = (given: unknown): Checker | undefined => {
  const checkers = (given as ReadonlyArray<JsonSchema>).map(simpleValidator)
  if (checkers.some((checker) => checker === undefined)) return undefined
  return (value, path, issues) => {
    let nearest: ReadonlyArray<SchemaIssue> | undefined
    for (const checker of checkers) {
      const found: Array<SchemaIssue> = []
      checker!(value, path, found)
      if (found.length === 0) return
      // The alternative that fits best except deep inside is the one that was meant.
      if (nearest === undefined || depth(found) > depth(nearest)) nearest = found
    }
    issues.push(...(nearest ?? []))
  }
}

const depth = (issues: ReadonlyArray<SchemaIssue>): number =>
  Math.min(...issues.map(({ path }) => path.split("/").length))

const makers: {
  readonly [keyword: string]: (given: unknown, schema: Keywords) => Checker | undefined
} = {
  type,
  properties,
  required,
  items,
  anyOf,
  additionalProperties: (given, schema) =>
    "properties" in schema ? nothing : properties(undefined, { additionalProperties: given }),
  enum: (given) => oneOfValues(given as ReadonlyArray<unknown>),
  const: (given) => oneOfValues([given]),
  minimum: bound(asNumber, atLeast, (limit) => `must be >= ${limit}`),
  maximum: bound(asNumber, atMost, (limit) => `must be <= ${limit}`),
  exclusiveMinimum: bound(
    asNumber,
    (n, limit) => n > limit,
    (limit) => `must be > ${limit}`,
  ),
  exclusiveMaximum: bound(
    asNumber,
    (n, limit) => n < limit,
    (limit) => `must be < ${limit}`,
  ),
  minLength: bound(asLength, atLeast, (limit) =>
    limit === 1 ? "must not be empty" : `must have at least ${limit} characters`,
  ),
  maxLength: bound(
    asLength,
    atMost,
    (limit) => `must have at most ${limit} character${limit === 1 ? "" : "s"}`,
  ),
  minItems: bound(asSize, atLeast, (limit) => `must have at least ${itemsIn(limit)}`),
  maxItems: bound(asSize, atMost, (limit) => `must have at most ${itemsIn(limit)}`),
}

const itemsIn = (count: number): string => `${count} item${count === 1 ? "" : "s"}`
