/** Converts a JSON Schema to an expression type; validation covers what types cannot express. */
import { isObject } from "@planloom/schema"
import type { JsonSchema } from "@planloom/plugin/effect"
import { any, bool, int, listOf, never, nullType, number, string, union } from "./Type.ts"
import type { Field, Type } from "./Type.ts"

const known = new WeakMap<object, Type>()

/** The type of a schema, cached per schema object. */
export const typeOfSchema = (schema: JsonSchema): Type => {
  if (typeof schema === "boolean") return schema ? any : never
  const before = known.get(schema)
  if (before) return before
  const type = read(schema, schema, 0)
  known.set(schema, type)
  return type
}

type Keywords = { readonly [keyword: string]: unknown }

const read = (schema: unknown, root: Keywords, depth: number): Type => {
  if (schema === false) return never
  // A recursive schema is typed down to this depth; deeper values are `any`.
  if (!isObject(schema) || depth > 24) return any
  if (typeof schema["$ref"] === "string") {
    const target = resolve(schema["$ref"], root)
    return target === undefined ? any : read(target, root, depth + 4)
  }
  if ("const" in schema) return typeOfValue(schema["const"])
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map(typeOfValue))
  for (const word of ["anyOf", "oneOf"]) {
    const choices = schema[word]
    if (!Array.isArray(choices) || choices.length === 0) continue
    // `anyOf: [{ required: [a] }, …]` constrains the object around it and gives no type of its own.
    const chosen = union(choices.map((choice) => read(choice, root, depth + 1)))
    if (chosen.kind !== "any") return chosen
  }
  if (Array.isArray(schema["allOf"])) return readAll(schema, root, depth)
  const { type } = schema
  if (Array.isArray(type)) {
    return union(type.map((one) => read({ ...schema, type: one }, root, depth + 1)))
  }
  return readType(type, schema, root, depth)
}

const readType = (type: unknown, schema: Keywords, root: Keywords, depth: number): Type => {
  switch (type) {
    case "string":
      return string
    case "integer":
      return int
    case "number":
      return number
    case "boolean":
      return bool
    case "null":
      return nullType
    case "array":
      return readArray(schema, root, depth)
    case "object":
      return readObject(schema, root, depth)
    default:
      return isObject(schema["properties"]) ? readObject(schema, root, depth) : any
  }
}

const readArray = (schema: Keywords, root: Keywords, depth: number): Type => {
  const { items, prefixItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
  if (first) return listOf(union(first.map((item) => read(item, root, depth + 1))))
  return listOf(items === undefined ? any : read(items, root, depth + 1))
}

const readObject = (schema: Keywords, root: Keywords, depth: number): Type => {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const fields: { [name: string]: Field } = {}
  for (const [name, property] of Object.entries(properties)) {
    fields[name] = { type: read(property, root, depth + 1), optional: !required.includes(name) }
  }
  for (const name of required) {
    if (typeof name === "string" && !Object.hasOwn(fields, name)) {
      fields[name] = { type: any, optional: false }
    }
  }
  const more = schema["additionalProperties"]
  const open = more === undefined && Object.keys(properties).length === 0
  const patterns = isObject(schema["patternProperties"])
  const rest =
    open || more === true || patterns
      ? any
      : isObject(more)
        ? read(more, root, depth + 1)
        : undefined
  return { kind: "object", fields, rest }
}

const readAll = (schema: Keywords, root: Keywords, depth: number): Type => {
  const { allOf, ...own } = schema
  const parts = [own, ...(allOf as ReadonlyArray<unknown>)].map((part) =>
    read(part, root, depth + 1),
  )
  let merged: Type = any
  for (const part of parts) {
    if (part.kind === "any") continue
    if (merged.kind === "object" && part.kind === "object") {
      merged = {
        kind: "object",
        fields: { ...merged.fields, ...part.fields },
        rest: merged.rest && part.rest,
      }
    } else if (merged.kind === "any") merged = part
  }
  return merged
}

const resolve = (reference: string, root: Keywords): unknown => {
  if (!reference.startsWith("#")) return undefined
  let found: unknown = root
  for (const segment of reference.slice(1).split("/").filter(Boolean)) {
    if (!isObject(found)) return undefined
    found = found[segment.replaceAll("~1", "/").replaceAll("~0", "~")]
  }
  return found
}

/** The narrowest type of a plain value. */
export const typeOfValue = (value: unknown): Type => {
  if (value === null) return nullType
  if (typeof value === "string") return { kind: "string", values: [value] }
  if (typeof value === "boolean") return bool
  if (typeof value === "number") return Number.isInteger(value) ? int : number
  if (Array.isArray(value)) return listOf(union(value.map(typeOfValue)))
  if (!isObject(value)) return any
  return {
    kind: "object",
    fields: Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        name,
        { type: typeOfValue(entry), optional: false },
      ]),
    ),
    rest: undefined,
  }
}
