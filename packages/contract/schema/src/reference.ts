/** Resolves references inside a schema: `#/$defs/city`. */
import { isObject, type JsonSchema, type SchemaObject } from "./Schema.ts"

/** Target of a reference inside its root; undefined if it does not exist or the reference is not a JSON Pointer. */
export const targetOf = (root: SchemaObject, reference: string): JsonSchema | undefined => {
  if (reference === "#") return root
  if (!reference.startsWith("#/")) return undefined
  let found: unknown = root
  for (const step of reference.slice(2).split("/")) {
    const name = decoded(step)?.replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof found !== "object" || found === null) return undefined
    if (name === undefined || !Object.hasOwn(found, name)) return undefined
    found = (found as { readonly [key: string]: unknown })[name]
  }
  return typeof found === "boolean" || isObject(found) ? found : undefined
}

const decoded = (step: string): string | undefined => {
  try {
    return decodeURIComponent(step)
  } catch {
    return undefined
  }
}
