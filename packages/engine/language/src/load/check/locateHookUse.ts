/** Locates a hook in use, and its keys, in the value of its section. */
import type { HookUse, Json } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { DocumentPath } from "../../definition/Definition.ts"
import type { PluginSection } from "../../definition/Resources.ts"

/**
 * The location of a key of the use, if the section has it as written, or else of the use; with `index`, of that element
 * where the key has a list.
 */
export const inside = (
  { value }: PluginSection,
  { at = [] }: HookUse,
  key: string,
  index?: number,
): DocumentPath => {
  const use = at.reduce<Json | undefined>(
    (outer, step) => (outer as { readonly [key: string]: Json } | undefined)?.[step],
    value,
  )
  if (!isObject(use) || !Object.hasOwn(use, key)) return at
  return index !== undefined && Array.isArray(use[key]) ? [...at, key, index] : [...at, key]
}
