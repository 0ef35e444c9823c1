/** The schema of an object before something completes it: some members may be anything, others may be left out. */
import { isObject, type JsonSchema } from "./Schema.ts"

export const relaxMembers = (
  schema: JsonSchema,
  { free, optional }: { readonly free: Iterable<string>; readonly optional: Iterable<string> },
): JsonSchema => {
  if (!isObject(schema)) return schema
  const { properties, required } = schema
  const own = isObject(properties) ? properties : {}
  const left = new Set(optional)
  const anything = [...free].map((name) => [name, described(own[name])])
  return {
    ...schema,
    properties: { ...own, ...Object.fromEntries(anything) },
    ...(Array.isArray(required) ? { required: required.filter((name) => !left.has(name)) } : {}),
  } as JsonSchema
}

/** The description of a member, without conditions for its value. */
const described = (schema: unknown): object => {
  if (!isObject(schema)) return {}
  const kept = ["title", "description", "role"].filter((keyword) => keyword in schema)
  return Object.fromEntries(kept.map((keyword) => [keyword, schema[keyword]]))
}
