/** JSON Schema keywords with the form of their values and their nested schemas. */
import { isObject, type JsonSchema, type SchemaObject } from "./Schema.ts"

export type Form =
  | "any"
  | "count"
  | "dependencies"
  | "flag"
  | "items"
  | "list"
  | "names"
  | "namesByName"
  | "number"
  | "positive"
  | "schema"
  | "schemas"
  | "schemasByName"
  | "text"
  | "types"

/** Every keyword of draft-07 and 2020-12 with the form of its value. */
export const keywords: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    any: "const default examples",
    count:
      "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
    dependencies: "dependencies",
    flag: "deprecated readOnly writeOnly uniqueItems",
    items: "items",
    list: "enum",
    names: "required",
    namesByName: "dependentRequired",
    number: "minimum maximum exclusiveMinimum exclusiveMaximum",
    positive: "multipleOf",
    schema:
      "additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties",
    schemas: "allOf anyOf oneOf prefixItems",
    schemasByName: "$defs definitions dependentSchemas patternProperties properties",
    text: "$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema contentEncoding contentMediaType description format pattern title",
    types: "type",
  }).flatMap(([form, list]) => list.split(" ").map((word) => [word, form as Form] as const)),
)

/** Keywords unknown to draft-07, which ignores them. */
export const newerThanDraft07: ReadonlySet<string> = new Set([
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "contentSchema",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
])

/** Keywords whose schemas apply to the same value as the outer schema. */
export const appliedInPlace: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "dependencies",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
])

type Change = (schema: JsonSchema, path: ReadonlyArray<string | number>) => JsonSchema

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "boolean" || isObject(value)

/** Replaces each schema in a keyword's value. Malformed parts stay unchanged. */
export const mapKeyword = (word: string, value: unknown, change: Change): unknown => {
  const form = keywords.get(word)
  switch (form) {
    case "schema":
      return isSchema(value) ? change(value, [word]) : value
    case "schemas":
      return mapList(word, value, change)
    case "items":
      return Array.isArray(value) ? mapList(word, value, change) : mapOne(word, value, change)
    case "dependencies":
    case "schemasByName":
      if (!isObject(value)) return value
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          isSchema(inner) ? change(inner, [word, name]) : inner,
        ]),
      )
    default:
      return value
  }
}

const mapOne = (word: string, value: unknown, change: Change): unknown =>
  isSchema(value) ? change(value, [word]) : value

const mapList = (word: string, value: unknown, change: Change): unknown =>
  Array.isArray(value)
    ? value.map((inner: unknown, index) => (isSchema(inner) ? change(inner, [word, index]) : inner))
    : value

/** Visits each directly nested schema with its path. */
export const eachSubschema = (
  schema: SchemaObject,
  visit: (inner: JsonSchema, path: ReadonlyArray<string | number>) => void,
): void => {
  for (const word of Object.keys(schema)) {
    mapKeyword(word, schema[word], (inner, path) => {
      visit(inner, path)
      return inner
    })
  }
}
