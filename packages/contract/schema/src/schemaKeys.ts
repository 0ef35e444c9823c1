/** Enumerates the keys that a JSON Schema accepts. */
import { isObject, type Json, type JsonSchema } from "./Schema.ts"

export interface SchemaKey {
  /** The empty text for a key without one. */
  readonly description: string
  readonly schema: Json
}

/**
 * Keys by path, in the order of the schema, such as `Workflow.policies.retry.*.delay`: `*` stands for a name of the author. Entries of lists have the path of the list.
 * A definition that contains itself is listed once, under its own name; keys of a JSON Schema of the author are not listed.
 */
export const schemaKeys = (schema: JsonSchema, name: string): ReadonlyMap<string, SchemaKey> => {
  const found = new Map<string, SchemaKey>()
  const entered = new Set<string>()
  const visit = (at: Json | undefined, path: string): void => {
    if (!isObject(at)) return
    const reference = at["$ref"]
    if (typeof reference === "string") {
      const own = /^#\/definitions\/(.*)$/.exec(reference)?.[1]
      if (own === undefined || entered.has(own)) return
      entered.add(own)
      const { definitions } = schema as { readonly definitions: { readonly [name: string]: Json } }
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
      const { description = "" } = value as { readonly description?: string }
      const { description: before = "", schema: first = value as Json } = found.get(inner) ?? {}
      found.set(inner, { description: before || description, schema: first })
      visit(value, inner)
    }
  }
  visit(schema as Json, name)
  return found
}
