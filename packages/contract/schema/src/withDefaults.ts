/** Fills members that a value leaves out with the defaults of its schema. */
import { eachSubschema } from "./keywords.ts"
import { targetOf } from "./reference.ts"
import { isObject, type Json, type JsonSchema, type SchemaObject } from "./Schema.ts"

/** Levels that are filled, as deep as types are: a default may refer to its own schema. */
const MAX_DEPTH = 12

/**
 * Returns the value with its missing members at any depth, or the value itself if it lacks none. A default is filled in
 * turn. Below `anyOf` and `oneOf` nothing is: which of them applies depends on the value.
 */
export const withDefaults = <Value extends Json>(schema: JsonSchema, value: Value): Value =>
  isObject(schema) && hasDefault(schema) ? (filled(schema, value, schema, 0) as Value) : value

const known = new WeakMap<SchemaObject, boolean>()

const hasDefault = (schema: SchemaObject): boolean => {
  const found = known.get(schema)
  if (found !== undefined) return found
  let has = "default" in schema
  if (!has) {
    eachSubschema(schema, (inner) => {
      has ||= isObject(inner) && hasDefault(inner)
    })
  }
  known.set(schema, has)
  return has
}

const filled = (schema: unknown, value: Json, root: SchemaObject, depth: number): Json => {
  if (!isObject(schema) || depth > MAX_DEPTH) return value
  if (typeof value !== "object" || value === null) return value
  const within = (part: unknown, inner: Json) => filled(part, inner, root, depth + 1)
  const { $ref: reference, allOf } = schema
  let whole: Json = value
  if (typeof reference === "string") whole = within(targetOf(root, reference), whole)
  if (Array.isArray(allOf)) {
    for (const part of allOf as ReadonlyArray<unknown>) whole = within(part, whole)
  }
  return isList(whole)
    ? filledItems(schema, whole, within)
    : filledMembers(schema, whole as { readonly [name: string]: Json }, within)
}

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

type Within = (part: unknown, inner: Json) => Json

const filledItems = (
  { items, prefixItems = [] }: SchemaObject,
  list: ReadonlyArray<Json>,
  within: Within,
): Json => {
  const places = prefixItems as ReadonlyArray<unknown>
  const whole = list.map((item, at) => within(at < places.length ? places[at] : items, item))
  return whole.some((item, at) => item !== list[at]) ? whole : (list as Json)
}

const filledMembers = (
  { additionalProperties, properties }: SchemaObject,
  members: { readonly [name: string]: Json },
  within: Within,
): Json => {
  const declared = isObject(properties) ? properties : {}
  let whole = members
  const put = (name: string, value: Json) => {
    if (value !== whole[name] || !Object.hasOwn(whole, name)) whole = { ...whole, [name]: value }
  }
  for (const [name, property] of Object.entries(declared)) {
    if (Object.hasOwn(whole, name)) put(name, within(property, whole[name]!))
    else if (isObject(property) && Object.hasOwn(property, "default")) {
      put(name, within(property, structuredClone(property["default"] as Json)))
    }
  }
  if (isObject(additionalProperties)) {
    for (const [name, value] of Object.entries(whole)) {
      if (!Object.hasOwn(declared, name)) put(name, within(additionalProperties, value))
    }
  }
  return whole
}
