/** Finds the problems of a JSON Schema with their locations, without a value and without Ajv. */
import { appliedInPlace, eachSubschema, type Form, keywords, newerThanDraft07 } from "./keywords.ts"
import { namedDialect } from "./dialect.ts"
import { linearPattern, type LinearPattern } from "./check/LinearPattern.ts"
import { hasTooManyPaths, MAX_PATHS } from "./paths.ts"
import { targetOf } from "./reference.ts"
import { isObject, type JsonSchema, type SchemaObject } from "./Schema.ts"

export interface SchemaProblem {
  /** Location in the schema. */
  readonly path: Path
  /** `schema`: the value is not a schema. `form`: a keyword's value is malformed. */
  readonly kind:
    | "depth"
    | "dialect"
    | "form"
    | "loop"
    | "paths"
    | "pattern"
    | "reference"
    | "schema"
    | "type"
  readonly message: string
}

type Path = ReadonlyArray<string | number>

/** Maximum nesting of schemas. */
const MAX_DEPTH = 200

const types = new Set(["string", "integer", "number", "boolean", "object", "array", "null"])

/** `patterns: false` skips patterns, which avoids loading their library. */
export const schemaProblems = (
  schema: unknown,
  { patterns = true }: { readonly patterns?: boolean } = {},
): ReadonlyArray<SchemaProblem> => {
  const survey = new Survey(patterns)
  survey.visit(schema, [], schema)
  if (survey.problems.length > 0 || !isObject(schema)) return survey.problems
  const found = [...survey.dialectProblems(schema), ...loops(schema)]
  return found.length > 0 || !hasTooManyPaths(schema)
    ? found
    : [
        {
          path: [],
          kind: "paths",
          message: `more than ${MAX_PATHS.toLocaleString("en")} paths through "$ref" lead to its parts for one value`,
        },
      ]
}

class Survey {
  readonly problems: Array<SchemaProblem> = []
  private readonly patterns: boolean
  private tuple: Path | undefined
  private newer: Path | undefined

  constructor(patterns: boolean) {
    this.patterns = patterns
  }

  /** `root`: the schema that references are relative to. */
  visit(schema: unknown, path: Path, root: unknown): void {
    if (typeof schema === "boolean") return
    if (!isObject(schema)) return this.report(path, "schema", "is not a JSON Schema")
    if (path.length > 2 * MAX_DEPTH) return this.report(path, "depth", "nests too many schemas")
    const id = schema["$id"]
    const base = typeof id === "string" && !id.startsWith("#") ? schema : (root as SchemaObject)
    for (const [word, value] of Object.entries(schema)) {
      const form = keywords.get(word)
      if (form === undefined) continue
      const at = [...path, word]
      if (!this.hasForm(form, word, value, at)) continue
      if (newerThanDraft07.has(word)) this.newer ??= at
      if (word === "items" && Array.isArray(value)) this.tuple ??= at
      if (word === "pattern") this.checkPattern(value as string, at)
      if (word === "patternProperties")
        for (const pattern of Object.keys(value as object))
          this.checkPattern(pattern, [...at, pattern])
      if (word === "$ref") this.checkReference(value as string, base, at)
    }
    eachSubschema(schema, (inner, below) => this.visit(inner, [...path, ...below], base))
  }

  /** Problems of `$schema`, or of keywords from two drafts without it. */
  dialectProblems({ $schema }: SchemaObject): ReadonlyArray<SchemaProblem> {
    const { newer, tuple } = this
    const problem = (path: Path, message: string) => [{ path, kind: "dialect" as const, message }]
    if (typeof $schema === "string") {
      const dialect = namedDialect($schema)
      if (dialect === undefined)
        return problem(
          ["$schema"],
          `${JSON.stringify($schema)} is not supported: draft-07 and 2020-12 are`,
        )
      return tuple !== undefined && dialect === "2020-12"
        ? problem(tuple, '"items" is one schema in 2020-12: write "prefixItems" for a list of them')
        : []
    }
    return tuple !== undefined && newer !== undefined
      ? problem(
          tuple,
          `a list as "items" is draft-07, and "${newer.at(-1)}" is 2020-12: write "prefixItems" instead`,
        )
      : []
  }

  private report(path: Path, kind: SchemaProblem["kind"], message: string): void {
    this.problems.push({ path, kind, message })
  }

  private hasForm(form: Form, word: string, value: unknown, path: Path): boolean {
    const { problems } = this
    const before = problems.length
    const wanted = (holds: boolean, words: string) => {
      if (!holds) this.report(path, "form", `"${word}" is ${words}`)
    }
    const isNames = (list: unknown) =>
      Array.isArray(list) && list.every((name) => typeof name === "string")
    switch (form) {
      case "count":
        wanted(Number.isInteger(value) && Number(value) >= 0, "a whole number, not less than 0")
        break
      case "dependencies":
        wanted(isObject(value), "a mapping of name to schema or list of names")
        for (const [name, inner] of Object.entries(isObject(value) ? value : {}))
          if (!isNames(inner) && !isSchema(inner))
            this.report([...path, name], "form", "is a schema or a list of property names")
        break
      case "flag":
        wanted(typeof value === "boolean", "true or false")
        break
      case "items":
        if (!Array.isArray(value)) this.expectSchema(value, path)
        else for (const [at, inner] of value.entries()) this.expectSchema(inner, [...path, at])
        break
      case "list":
        wanted(Array.isArray(value), "a list of values")
        break
      case "names":
        wanted(isNames(value), "a list of property names")
        break
      case "namesByName":
        wanted(
          isObject(value) && Object.values(value).every(isNames),
          "a mapping of name to list of names",
        )
        break
      case "number":
        wanted(typeof value === "number", "a number")
        break
      case "positive":
        wanted(typeof value === "number" && value > 0, "a number above 0")
        break
      case "schema":
        this.expectSchema(value, path)
        break
      case "schemas":
        wanted(Array.isArray(value), "a list of schemas")
        if (Array.isArray(value))
          for (const [at, inner] of value.entries()) this.expectSchema(inner, [...path, at])
        break
      case "schemasByName":
        wanted(isObject(value), "a mapping of name to schema")
        for (const [name, inner] of Object.entries(isObject(value) ? value : {}))
          this.expectSchema(inner, [...path, name])
        break
      case "text":
        wanted(typeof value === "string", "text")
        break
      case "types":
        this.checkTypes(value, path)
        break
      default:
    }
    return problems.length === before
  }

  /** Nested schemas are visited separately. */
  private expectSchema(value: unknown, path: Path): void {
    if (!isSchema(value)) this.report(path, "schema", "is not a JSON Schema")
  }

  private checkTypes(value: unknown, path: Path): void {
    const names: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    if (names.length === 0) this.report(path, "type", "names no type")
    for (const name of names) {
      if (typeof name === "string" && types.has(name)) continue
      this.report(path, "type", `${JSON.stringify(name)} is not a type of JSON Schema`)
    }
  }

  private checkPattern(source: string, path: Path): void {
    if (!this.patterns) return
    try {
      linearPattern(source)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      this.report(path, "pattern", error.message)
    }
  }

  private checkReference(reference: string, root: SchemaObject, path: Path): void {
    if (reference === "#" || reference.startsWith("#/")) {
      if (targetOf(root, reference) === undefined)
        this.report(path, "reference", `there is no schema at ${reference}`)
    } else if (reference.startsWith("#")) {
      if (!hasAnchor(root, reference.slice(1)))
        this.report(path, "reference", `there is no schema with the anchor ${reference}`)
    } else if (!hasId(root)) {
      this.report(path, "reference", `${reference} is outside of this schema, and is not loaded`)
    }
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "boolean" || isObject(value)

const some = (schema: JsonSchema, holds: (schema: SchemaObject) => boolean): boolean => {
  if (typeof schema === "boolean") return false
  if (holds(schema)) return true
  let found = false
  eachSubschema(schema, (inner) => {
    found ||= some(inner, holds)
  })
  return found
}

const hasAnchor = (root: SchemaObject, name: string): boolean =>
  some(
    root,
    ({ $anchor, $dynamicAnchor, $id }) =>
      $anchor === name || $dynamicAnchor === name || $id === `#${name}`,
  )

const hasId = (root: SchemaObject): boolean => some(root, ({ $id }) => typeof $id === "string")

/** Circular references for the same value, with which validation would not terminate. */
const loops = (root: SchemaObject): ReadonlyArray<SchemaProblem> => {
  const problems: Array<SchemaProblem> = []
  const state = new Map<object, "open" | "done">()
  const follow = (schema: JsonSchema, path: Path): void => {
    if (typeof schema === "boolean" || state.get(schema) === "done") return
    state.set(schema, "open")
    const { $ref } = schema
    const target = typeof $ref === "string" ? targetOf(root, $ref) : undefined
    if (typeof target === "object") {
      const at = [...path, "$ref"]
      if (state.get(target) === "open") {
        problems.push({ path: at, kind: "loop", message: `${String($ref)} refers to itself` })
      } else follow(target, String($ref).slice(2).split("/"))
    }
    eachSubschema(schema, (inner, below) => {
      if (appliedInPlace.has(String(below[0]))) follow(inner, [...path, ...below])
    })
    state.set(schema, "done")
  }
  const visit = (schema: JsonSchema, path: Path): void => {
    if (typeof schema === "boolean") return
    follow(schema, path)
    eachSubschema(schema, (inner, below) => visit(inner, [...path, ...below]))
  }
  visit(root, [])
  return problems
}

const rejections = new WeakMap<object, { readonly rejection: SchemaRejected | undefined }>()

/** Rejection of an invalid schema; undefined for a valid one. Cached per schema object. */
export const rejectionOf = (schema: JsonSchema): SchemaRejected | undefined => {
  if (typeof schema === "boolean") return undefined
  let known = rejections.get(schema)
  if (known === undefined) {
    const problems = schemaProblems(schema)
    known = { rejection: problems.length === 0 ? undefined : new SchemaRejected(problems) }
    rejections.set(schema, known)
  }
  return known.rejection
}

/** Compiles a pattern of a schema. Throws `SchemaRejected` for an unsupported one. */
export const patternOf = (source: string): LinearPattern => {
  try {
    return linearPattern(source)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new SchemaRejected([{ path: [], kind: "pattern", message: error.message }])
  }
}

/** Thrown for an invalid schema. */
export class SchemaRejected extends TypeError {
  override readonly name = "SchemaRejected"
  readonly problems: ReadonlyArray<SchemaProblem>

  constructor(problems: ReadonlyArray<SchemaProblem>) {
    const [first] = problems
    const place = first === undefined || first.path.length === 0 ? "" : `${first.path.join(".")}: `
    super(`the JSON Schema cannot be used: ${place}${first?.message ?? ""}`)
    this.problems = problems
  }
}
