/** The schema of what stands at a path of a value, as far as a schema says. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { targetOf } from "@planloom/schema"
import type { ValuePath } from "./checkValue.ts"
import { isObject } from "../Json.ts"

type Schema = { readonly [keyword: string]: unknown }

/** Types of a schema; undefined if it leaves them open. */
export const typesOf = (schema: unknown): ReadonlyArray<string> | undefined => {
  if (!isObject(schema)) return undefined
  const { type } = schema
  if (typeof type === "string") return [type]
  return Array.isArray(type) && type.every((one) => typeof one === "string") ? type : undefined
}

/** A schema, or why a value of it has nothing at the path. An empty schema says nothing. */
export const schemaAt = (
  root: JsonSchema | undefined,
  path: ValuePath,
): { readonly schema: Schema } | { readonly missing: string } => {
  let current = resolved(root, root)
  for (const key of path) {
    const types = typesOf(current)
    const holder = typeof key === "number" ? "array" : "object"
    if (types !== undefined && !types.includes(holder)) {
      return { missing: `${types.join(" or ")} has no ${JSON.stringify(key)}` }
    }
    const { additionalProperties, items, prefixItems, properties } = current
    if (typeof key === "number") {
      const own = Array.isArray(prefixItems) ? prefixItems[key] : undefined
      current = resolved(own ?? items, root)
      continue
    }
    if (isObject(properties) && Object.hasOwn(properties, key)) {
      current = resolved(properties[key], root)
      continue
    }
    // Parts of a schema that are not read may declare it.
    const isWhole = !["allOf", "anyOf", "oneOf", "patternProperties", "$ref"].some(
      (keyword) => keyword in current,
    )
    if (additionalProperties === false && isWhole) {
      const known = isObject(properties) ? Object.keys(properties) : []
      return { missing: `has no ${key}; it has ${known.join(", ") || "nothing"}` }
    }
    current = resolved(additionalProperties, root)
  }
  return { schema: current }
}

/** The target of a `$ref`. */
const resolved = (schema: unknown, root: JsonSchema | undefined): Schema => {
  if (!isObject(schema)) return {}
  const { $ref } = schema
  if (typeof $ref !== "string") return schema
  const target = isObject(root) ? targetOf(root, $ref) : undefined
  return isObject(target) && !("$ref" in target) ? target : {}
}
