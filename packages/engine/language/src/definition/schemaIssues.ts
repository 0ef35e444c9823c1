/** What keeps a value as written from being a JSON Schema, in the words of diagnostics. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { suggest } from "@planloom/expression/suggestion"
import {
  eachSubschema,
  isObject,
  keywords,
  type SchemaProblem,
  schemaProblems,
} from "@planloom/schema"
import type { DocumentPath } from "./Definition.ts"
import { holdsExpression } from "./scope/holdsExpression.ts"
import { nearKey, nearValue, type Fix } from "./Fix.ts"
import { schemaFit } from "./schemaFit.ts"
import { scalarText } from "../source/scalarText.ts"
import { describeJson } from "./Shape.ts"

export interface SchemaDiagnostic {
  readonly code: string
  readonly message: string
  readonly path: DocumentPath
  readonly help?: string | undefined
  readonly fix?: Fix | undefined
  readonly spot?: "key" | "value"
}

export const expectedSchema = "a JSON Schema, such as { type: string }"

/** Keywords of Planloom's own, beside those that begin with x-. */
const ownKeywords: ReadonlySet<string> = new Set(["personal"])

const types = ["string", "integer", "number", "boolean", "object", "array", "null"]

/** Types as other languages call them. */
const foreignTypes: ReadonlyMap<unknown, string> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["int", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["bool", "boolean"],
  ["list", "array"],
  ["map", "object"],
  ["dict", "object"],
  ["mapping", "object"],
])

/** The type that a text names; undefined for any other text. */
const typeMeant = (text: string): string | undefined =>
  types.includes(text) ? text : foreignTypes.get(text)

/** `ownKeys`: keys of the mapping that are not the schema's. */
export const schemaIssues = (
  value: Json,
  ownKeys: ReadonlyArray<string> = [],
): ReadonlyArray<SchemaDiagnostic> => {
  const schema = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !ownKeys.includes(key)))
    : value
  const short = ownKeys.length === 0 && isObject(schema) ? shorthand(schema) : undefined
  if (short !== undefined) return [short]
  const issues = [
    ...unknownWords(schema, [], ownKeys),
    ...schemaProblems(schema).map((problem) => diagnosticOf(problem, schema)),
  ]
  return issues.length > 0 || !isObject(schema) ? issues : unfitDefaults(schema, schema, [])
}

/** `{ vendor: string, total: number }`: fields with the names of their types. */
const shorthand = (schema: { readonly [key: string]: Json }): SchemaDiagnostic | undefined => {
  const fields = Object.entries(schema).map(
    ([key, type]) =>
      [key, typeof type === "string" && !keywords.has(key) ? typeMeant(type) : undefined] as const,
  )
  if (fields.length === 0 || fields.some(([, type]) => type === undefined)) return undefined
  const names = fields.map(([key]) => scalarText(key, true))
  const properties = fields.map(([, type], at) => `${names[at]}: { type: ${type} }`)
  const text = `{ type: object, required: [${names.join(", ")}], properties: { ${properties.join(", ")} } }`
  return {
    code: "PL0109",
    message: "these are fields, not words of JSON Schema",
    path: [],
    help: `write ${text}`,
    fix: { yaml: text },
  }
}

/** Defaults that do not fit their own schema: who leaves the value out would be refused. */
const unfitDefaults = (
  schema: { readonly [key: string]: unknown },
  root: { readonly [key: string]: unknown },
  path: DocumentPath,
): ReadonlyArray<SchemaDiagnostic> => {
  const issues: Array<SchemaDiagnostic> = []
  const value = schema["default"] as Json | undefined
  if (value !== undefined && !holdsExpression(value)) {
    const { $defs, definitions } = root
    const alone = JSON.parse(JSON.stringify({ $defs, definitions, ...schema })) as JsonSchema
    for (const { help, message, path: at } of schemaFit(value, alone, [], "the default")) {
      issues.push({
        code: "PL0109",
        message,
        path: [...path, "default", ...at],
        help: help ?? "write a default that fits, or declare another type",
      })
    }
  }
  eachSubschema(schema, (inner, below) => {
    if (isObject(inner)) issues.push(...unfitDefaults(inner, root, [...path, ...below]))
  })
  return issues
}

const unknownWords = (
  schema: Json,
  path: DocumentPath,
  ownKeys: ReadonlyArray<string>,
): ReadonlyArray<SchemaDiagnostic> => {
  if (!isObject(schema)) return []
  const issues: Array<SchemaDiagnostic> = []
  for (const [word, value] of Object.entries(schema)) {
    if (keywords.has(word) || word.startsWith("x-")) continue
    if (ownKeywords.has(word)) {
      if (typeof value !== "boolean")
        issues.push({
          code: "PL0109",
          message: `"${word}" is true or false`,
          path: [...path, word],
        })
      continue
    }
    const near = suggest(word, [...keywords.keys(), ...ownKeywords, ...ownKeys])
    issues.push({
      code: "PL0109",
      message: `"${word}" is not a word of JSON Schema`,
      path: [...path, word],
      help: near === undefined ? "a word of your own begins with x-" : `did you mean "${near}"?`,
      fix: nearKey(word, [...keywords.keys(), ...ownKeywords, ...ownKeys], Object.keys(schema)),
      spot: "key",
    })
  }
  eachSubschema(schema, (inner, below) => {
    issues.push(...unknownWords(inner as Json, [...path, ...below], []))
  })
  return issues
}

const diagnosticOf = ({ kind, message, path }: SchemaProblem, schema: Json): SchemaDiagnostic => {
  const value = valueAt(schema, path)
  switch (kind) {
    case "schema":
      return {
        code: "PL0103",
        message: `expected ${expectedSchema}, found ${describeJson(value)}`,
        path,
        help:
          typeof value === "string" && typeMeant(value) !== undefined
            ? `write { type: ${typeMeant(value)} }`
            : undefined,
        fix:
          typeof value === "string" && typeMeant(value) !== undefined
            ? { yaml: `{ type: ${typeMeant(value)} }` }
            : undefined,
      }
    case "type":
      return {
        code: "PL0109",
        message,
        path,
        help: typeHelp(value, message),
        fix: foreignTypes.has(value)
          ? { value: foreignTypes.get(value)! }
          : nearValue(value, types),
      }
    case "pattern":
      return {
        code: "PL0113",
        message,
        path,
        help: "patterns are RE2, whose time grows with the text only: docs/workflows.md, JSON Schema",
        spot: path.at(-2) === "patternProperties" ? "key" : "value",
      }
    case "form":
      return {
        code: "PL0109",
        message,
        path,
        help:
          path.at(-1) === "required" && typeof value === "boolean"
            ? "an input without a default is required anyway"
            : undefined,
        ...(path.length === 1 && value === true && !Object.hasOwn(schema as object, "properties")
          ? { fix: { entry: "" } }
          : {}),
      }
    default:
      return { code: "PL0109", message, path }
  }
}

const typeHelp = (value: Json, message: string): string => {
  const names = Array.isArray(value) ? value : [value]
  const name = names.find((one) => message.startsWith(JSON.stringify(one)))
  const near =
    typeof name === "string" ? (foreignTypes.get(name) ?? suggest(name, types)) : undefined
  const listed = `it is one of: ${types.join(", ")}`
  return near === undefined ? listed : `did you mean "${near}"? ${listed}`
}

const valueAt = (value: Json, path: DocumentPath): Json => {
  let at: unknown = value
  for (const step of path) at = (at as { readonly [key: string]: unknown })[step]
  return at as Json
}
