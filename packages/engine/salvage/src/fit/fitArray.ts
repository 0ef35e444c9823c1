/** Fits arrays, and values that can be read as one. */
import { Growing } from "../read/Growing.ts"
import type { Node } from "../read/Node.ts"
import type { Schema } from "../Salvage.ts"
import { also, COST, type Fit, fits, mismatch } from "./Fit.ts"
import type { FitContext, Sum } from "./FitContext.ts"
import { fitEncoded } from "./fitEncoded.ts"
import type { ObjectSchema } from "./Schema.ts"

export const fitArray = (fitter: FitContext, node: Node, schema: ObjectSchema): Fit => {
  if (node.kind === "array") return fitItems(fitter, node, schema)
  if (fitter.partial && !node.closed) return fits(undefined)
  const inner = node.kind === "string" ? fitEncoded(fitter, node, schema, true) : undefined
  if (inner !== undefined && inner.problems.length === 0) return inner
  if (node.kind === "literal" && node.value === null) return mismatch(node, "must be a list")
  // A single value in place of a list, unless it is the list under a name.
  const item = fitter.fit(node, itemSchema(schema, 0))
  const wrapped = also(
    { ...item, value: item.value === undefined ? undefined : [item.value] },
    "to_array",
    node,
    COST.shape,
  )
  return item.problems.length > 0 ? mismatch(node, "must be a list") : wrapped
}

const fitItems = (fitter: FitContext, node: Node, schema: ObjectSchema): Fit => {
  if (node instanceof Growing) return fitGrowing(fitter, node, schema)
  const fit = emptySum()
  addItems(fitter, fit, node, schema, 0, node.items.length)
  return fit
}

const emptySum = (): Sum => ({ value: [], cost: 0, notes: [], problems: [] })

/** Keeps the fits of all items but the last, the only one that may still change, from one partial value to the next. */
const fitGrowing = (fitter: FitContext, node: Growing, schema: ObjectSchema): Fit => {
  const known = fitter.listProgress(node.live, schema, () => ({ fit: emptySum(), count: 0 }))
  const settled = Math.max(known.count, node.live.items.length - 1)
  addItems(fitter, known.fit, node, schema, known.count, settled)
  known.count = settled
  const { value, cost, problems } = known.fit
  const fit = { value: value.slice(), cost, notes: [], problems: problems.slice() }
  addItems(fitter, fit, node, schema, settled, node.items.length)
  return fit
}

const addItems = (
  fitter: FitContext,
  sum: Sum,
  node: Node,
  schema: ObjectSchema,
  from: number,
  to: number,
): void => {
  for (let index = from; index < to; index++) {
    const item = node.items[index]!
    const fit = fitter.fit(item, itemSchema(schema, index))
    if (fitter.recovery.dropItems === true && fit.problems.length > 0) {
      sum.notes.push({ kind: "dropped_item", node: item, detail: fit.problems[0]!.message })
      sum.cost += COST.dropped
      continue
    }
    sum.cost += fit.cost
    push(sum.notes, fit.notes)
    push(sum.problems, fit.problems)
    if (fit.value !== undefined) sum.value.push(fit.value)
  }
}

export const push = <A>(to: Array<A>, from: ReadonlyArray<A>): void => {
  for (const each of from) to.push(each)
}

const itemSchema = (schema: ObjectSchema, index: number): Schema => {
  const { items, prefixItems, additionalItems } = schema
  if (prefixItems !== undefined) return prefixItems[index] ?? (items as Schema | undefined) ?? true
  if (Array.isArray(items))
    return (items as ReadonlyArray<Schema>)[index] ?? additionalItems ?? true
  return (items as Schema | undefined) ?? true
}
