/** Paths through `$ref` along which the parts of a schema apply to one value: a few references can make millions. */
import { appliedInPlace, eachSubschema } from "./keywords.ts"
import { References } from "./References.ts"
import type { JsonSchema, SchemaObject } from "./Schema.ts"

/** Of a schema that is accepted. */
export const MAX_PATHS = 10_000

/** Words whose schemas apply to parts of a value that other words apply to as well. */
const overlapping = new Set([
  ...appliedInPlace,
  "contains",
  "patternProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
])

/** Counts paths below a schema. A circle counts once here: `schemaProblems` and `visitsOf` look at circles. */
const countPaths = (
  root: SchemaObject,
  references: References,
  follows: (word: string) => boolean,
): { readonly most: number; readonly circular: boolean } => {
  const counts = new Map<object, number>()
  const open = new Set<object>()
  let most = 0
  let circular = false
  const count = (schema: JsonSchema): number => {
    if (typeof schema === "boolean") return 0
    const known = counts.get(schema)
    if (known !== undefined) return known
    if (open.has(schema)) {
      circular = true
      return 0
    }
    open.add(schema)
    let paths = 1
    for (const target of references.of(schema)) paths += count(target)
    eachSubschema(schema, (inner, [word]) => {
      const below = count(inner)
      if (follows(String(word))) paths += below
    })
    open.delete(schema)
    counts.set(schema, paths)
    most = Math.max(most, paths)
    return paths
  }
  count(root)
  return { most, circular }
}

/** Whether more parts of a schema apply to one value than are accepted. */
export const hasTooManyPaths = (root: SchemaObject): boolean =>
  countPaths(root, new References(root), (word) => appliedInPlace.has(word)).most > MAX_PATHS

/** Whether the time to validate a value may grow faster than the value. */
export const mayMultiply = (root: SchemaObject): boolean => {
  let overlaps = false
  let refers = false
  const visit = (schema: JsonSchema): void => {
    if (typeof schema === "boolean") return
    const isReference = "$ref" in schema || "$dynamicRef" in schema
    refers ||= isReference
    overlaps ||= isReference && Object.keys(schema).length > 1
    for (const word of Object.keys(schema)) overlaps ||= overlapping.has(word)
    eachSubschema(schema, visit)
  }
  visit(root)
  if (!overlaps || !refers) return false
  const { circular, most } = countPaths(root, new References(root), () => true)
  return circular || most > MAX_PATHS
}
