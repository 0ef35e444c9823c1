/** Enumerates the keys that a JSON Schema accepts. */
import { isObject } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin/effect"

/**
 * `Workflow.policies.retry.*.delay`: `*` stands for a name of the author. Entries of lists have the path of the list.
 * A definition that contains itself is listed once, under its own name; keys of a JSON Schema of the author are not listed.
 */
export const enumerateKeys = (schema: JsonSchema, name: string): ReadonlyArray<string> => [
  ...describedKeys(schema, name).keys(),
]

/** The same with the description of each key; the empty text for a key without one. */
export const describedKeys = (schema: JsonSchema, name: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const entered = new Set<string>()
  const visit = (at: Json | undefined, path: string): void => {
    if (!isObject(at)) return
    const reference = at["$ref"]
    if (typeof reference === "string") {
      const own = /^#\/definitions\/(.*)$/.exec(reference)?.[1]
      if (own === undefined || entered.has(own)) return
      entered.add(own)
      const definitions = (schema as { readonly definitions: { readonly [key: string]: Json } })
        .definitions
      visit(definitions[own], own)
      return
    }
    for (const word of ["allOf", "anyOf", "oneOf"]) {
      for (const part of (at[word] ?? []) as ReadonlyArray<Json>) visit(part, path)
    }
    visit(at["items"], path)
    visit(at["additionalProperties"], `${path}.*`)
    for (const [key, value] of Object.entries(at["properties"] ?? {})) {
      const inner = `${path}.${key}`
      const { description } = value as { readonly description?: string }
      found.set(inner, found.get(inner) || (description ?? ""))
      visit(value, inner)
    }
  }
  visit(schema as Json, name)
  return found
}
