/** Fills in missing members from the schema, as the `fill` option requires. */
import { type Node, setMember } from "../read/Node.ts"
import type { Json, JsonObject, Schema } from "../Salvage.ts"
import { COST, type Note } from "./Fit.ts"
import type { FitContext } from "./FitContext.ts"
import { type ObjectSchema, typesOf } from "./Schema.ts"

/** Adds to `value` and `notes`; returns the cost. `failed`: names whose value is present but does not fit. */
export const fillMembers = (
  fitter: FitContext,
  node: Node,
  schema: ObjectSchema,
  value: JsonObject,
  failed: ReadonlySet<string | undefined>,
  notes: Array<Note>,
): number => {
  const { fill = "none" } = fitter.recovery
  if (fill === "none") return 0
  let cost = 0
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(value, name) || failed.has(name)) continue
    const isRequired = fill === "required" && (schema.required ?? []).includes(name)
    const supplied = suppliedBy(fitter, property, isRequired)
    if (supplied === undefined) continue
    // Copied, because the schema belongs to the caller.
    setMember(value, name, structuredClone(supplied))
    notes.push({ kind: "filled", node, detail: name })
    cost += COST.dropped
  }
  return cost
}

const suppliedBy = (
  fitter: FitContext,
  property: Schema,
  isRequired: boolean,
): Json | undefined => {
  const plain = fitter.document.resolve(property)
  if (typeof plain === "boolean") return undefined
  if (plain["default"] !== undefined) return plain["default"] as Json
  if (!isRequired) return undefined
  if (plain.const !== undefined) return plain.const
  if (plain.enum !== undefined) return plain.enum[0]
  const [type] = typesOf(plain)
  if (type === "array") return Number(plain["minItems"] ?? 0) > 0 ? undefined : []
  const isOpen = (plain.required ?? []).length === 0 && Number(plain["minProperties"] ?? 0) === 0
  return type === "object" && isOpen ? {} : undefined
}
