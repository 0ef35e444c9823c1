/** Detects the JSON Schema draft of a schema. */
import { eachSubschema } from "./keywords.ts"
import type { JsonSchema, SchemaObject } from "./Schema.ts"

export type Dialect = "draft-07" | "2020-12"

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/
const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/** The dialect that `$schema` names; undefined if it is not supported. */
export const namedDialect = (name: string): Dialect | undefined =>
  DRAFT_07.test(name) ? "draft-07" : DRAFT_2020.test(name) ? "2020-12" : undefined

/** The dialect of a root schema: from `$schema`, else draft-07 if `items` is a list, which only that draft allows, else 2020-12. */
export const dialectOf = (root: SchemaObject): Dialect => {
  const name = root["$schema"]
  const named = typeof name === "string" ? namedDialect(name) : undefined
  return named ?? (hasTuple(root) ? "draft-07" : "2020-12")
}

const hasTuple = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return false
  if (Array.isArray(schema["items"])) return true
  let found = false
  eachSubschema(schema, (inner) => {
    found ||= hasTuple(inner)
  })
  return found
}
