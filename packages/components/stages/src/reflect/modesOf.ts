/** The params of a tool that select how it works: values of an `enum` that its results do not have as a property, too. */
import type { JsonObject, JsonSchema, Tool } from "@planloom/plugin/effect"
import { propertiesOf } from "@planloom/planning"
import { isObject } from "@planloom/schema"

/** By param: its values, as texts. Values that results have, too, such as a library, are data. */
export const modesOf = (tool: Tool): ReadonlyMap<string, ReadonlyArray<string>> => {
  const data = propertyNames(tool.result ?? {})
  return new Map(
    propertiesOf(tool).flatMap(([name, schema]) => {
      const values = isObject(schema) ? (schema as JsonObject)["enum"] : undefined
      return Array.isArray(values) && !data.has(name) ? [[name, values.map(String)] as const] : []
    }),
  )
}

const propertyNames = (schema: JsonSchema): ReadonlySet<string> => {
  const names = new Set<string>()
  const read = (part: unknown): void => {
    if (Array.isArray(part)) for (const one of part) read(one)
    if (!isObject(part)) return
    for (const [key, value] of Object.entries(part)) {
      if (key === "properties" && isObject(value))
        for (const name of Object.keys(value)) names.add(name)
      read(value)
    }
  }
  read(schema)
  return names
}
