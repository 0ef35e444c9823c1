/** Counts the applications of schemas that the validation of a value makes, without making them. */
import { isTooDeep, TOO_DEEP } from "./depth.ts"
import { appliedInPlace, eachSubschema } from "./keywords.ts"
import { MAX_PATHS, mayMultiply } from "./paths.ts"
import { References } from "./References.ts"
import { isObject, type Json, type JsonSchema, type SchemaObject, type Validate } from "./Schema.ts"

/** For each part of a value, beside `MAX_PATHS`. */
const MAX_VISITS_PER_PART = 1000

/** The validator, which refuses a value that it would need too long for. The same one for most schemas. */
export const bounded = (root: SchemaObject, validate: Validate): Validate => {
  if (!mayMultiply(root)) return validate
  const references = new References(root)
  return (value) => {
    if (isTooDeep(value)) return [{ path: "", message: TOO_DEEP, keyword: "depth" }]
    const most = MAX_PATHS + MAX_VISITS_PER_PART * partsOf(value)
    return visitsOf(root, references, value) > most
      ? [
          {
            path: "",
            message:
              "cannot be checked: too many paths through $ref of the schema lead to its parts",
            keyword: "$ref",
          },
        ]
      : validate(value)
  }
}

/** The number of values that a value consists of. */
const partsOf = (value: Json): number => {
  if (typeof value !== "object" || value === null) return 1
  let parts = 1
  for (const inner of Object.values(value) as ReadonlyArray<Json>) parts += partsOf(inner)
  return parts
}

/** At most so many, each pair of a schema and a value is looked at once. */
const visitsOf = (root: SchemaObject, references: References, whole: Json): number => {
  const known = new Map<object, Map<Json, number>>()
  const visits = (schema: JsonSchema, value: Json): number => {
    if (typeof schema === "boolean") return 1
    let ofSchema = known.get(schema)
    if (ofSchema === undefined) known.set(schema, (ofSchema = new Map()))
    const found = ofSchema.get(value)
    if (found !== undefined) return found
    // Until it is counted: a circle that applies to the same value has no end.
    ofSchema.set(value, Infinity)
    let count = 1
    for (const target of references.of(schema)) count += visits(target, value)
    eachSubschema(schema, (inner, [word, name]) => {
      for (const part of partsFor(String(word), name, value)) count += visits(inner, part)
    })
    ofSchema.set(value, count)
    return count
  }
  return visits(root, whole)
}

const none: ReadonlyArray<Json> = []

/** The parts of a value that the schema under a keyword may apply to. */
const partsFor = (
  word: string,
  name: string | number | undefined,
  value: Json,
): ReadonlyArray<Json> => {
  if (appliedInPlace.has(word)) return [value]
  switch (word) {
    case "properties":
      return isObject(value) && Object.hasOwn(value, name!) ? [value[name!]!] : none
    case "additionalProperties":
    case "patternProperties":
    case "unevaluatedProperties":
      return isObject(value) ? Object.values(value) : none
    case "propertyNames":
      return isObject(value) ? Object.keys(value) : none
    case "additionalItems":
    case "contains":
    case "items":
    case "prefixItems":
    case "unevaluatedItems":
      return Array.isArray(value) ? value : none
    default:
      return none
  }
}
