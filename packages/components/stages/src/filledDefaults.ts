/** Defaults in the schema of a reply: a member that has one is present once the reply is read. */
import { isObject } from "@planloom/schema"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"

/** Keywords whose values are schemas by name. */
const named = ["properties", "$defs", "definitions"] as const

/** The schema of the value that is read by it: members with a `default` are required. */
export const requireDefaults = (schema: JsonSchema): JsonSchema => {
  if (!isObject(schema)) return schema
  const made: { [keyword: string]: Json } = { ...(schema as JsonObject) }
  for (const keyword of named) {
    const value = made[keyword]
    if (isObject(value)) {
      made[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          requireDefaults(one as JsonSchema) as Json,
        ]),
      )
    }
  }
  if (isObject(made["items"])) made["items"] = requireDefaults(made["items"]) as Json
  const filled = withDefault(made["properties"])
  if (filled.length === 0) return made as JsonSchema
  const required = (made["required"] ?? []) as ReadonlyArray<string>
  return { ...made, required: [...new Set([...required, ...filled])] } as JsonSchema
}

const withDefault = (properties: Json | undefined): ReadonlyArray<string> =>
  isObject(properties)
    ? Object.entries(properties).flatMap(([name, one]) =>
        isObject(one) && Object.hasOwn(one, "default") ? [name] : [],
      )
    : []
