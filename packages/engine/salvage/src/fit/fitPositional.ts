/** Reads a list as an object's values in the order of its properties, as the `positional` option allows. */
import { type Node, setMember } from "../read/Node.ts"
import type { JsonObject } from "../Salvage.ts"
import { COST, type Fit, type Note } from "./Fit.ts"
import { push } from "./fitArray.ts"
import type { FitContext } from "./FitContext.ts"
import type { ObjectSchema } from "./Schema.ts"

/** Returns `undefined` in case of doubt: an item does not fit its property well, or a required property has no value. */
export const fitPositional = (
  fitter: FitContext,
  node: Node,
  schema: ObjectSchema,
): Fit | undefined => {
  const properties = Object.entries(schema.properties ?? {})
  const { items } = node
  if (items.length === 0 || items.length > properties.length) return undefined
  // The object itself in a list.
  if (items.length === 1 && items[0]!.kind === "object") return undefined
  const names = new Set(properties.slice(0, items.length).map(([name]) => name))
  if ((schema.required ?? []).some((name) => !names.has(name))) return undefined
  const value: JsonObject = {}
  const notes: Array<Note> = [{ kind: "positional", node }]
  let cost = COST.shape
  for (const [slot, item] of items.entries()) {
    const [name, property] = properties[slot]!
    const fit = fitter.fit(item, property)
    if (fit.value === undefined || fit.cost >= COST.shape) return undefined
    cost += fit.cost
    push(notes, fit.notes)
    setMember(value, name, fit.value)
  }
  return { value, cost, notes, problems: [] }
}
