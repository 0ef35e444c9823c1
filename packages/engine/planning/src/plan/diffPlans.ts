/** The modifications that lead from one plan to another. */
import { applyModifications } from "./applyModifications.ts"
import { sameJson } from "@planloom/schema"
import type { JsonObject } from "@planloom/plugin/effect"
import type { Modification } from "./Modification.ts"
import { SOURCE } from "./Plan.ts"
import type { Plan, Step } from "./Plan.ts"

const changedParams = (before: JsonObject, after: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .map((name) => [name, null]),
  ),
  ...Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !sameJson(before[name], value)),
  ),
})

const change = (before: Step, after: Step, rationale: string): Modification | undefined => {
  const params = changedParams(before.params, after.params)
  const dropped = Object.fromEntries(
    Object.keys(before.inputs).flatMap((slot) =>
      Object.hasOwn(after.inputs, slot) ? [] : [[slot, ""] as const],
    ),
  )
  const parts = {
    ...(before.tool === after.tool ? {} : { tool: after.tool }),
    ...(sameJson(before.inputs, after.inputs) ? {} : { inputs: { ...dropped, ...after.inputs } }),
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(sameJson(before.each ?? null, after.each ?? null) ? {} : { each: after.each ?? null }),
    ...(sameJson(before.needs ?? [], after.needs ?? []) ? {} : { needs: after.needs ?? [] }),
    ...(sameJson(before.satisfies, after.satisfies) ? {} : { satisfies: after.satisfies }),
  }
  if (Object.keys(parts).length === 0) return undefined
  return { op: "modify", step: after.id, rationale, ...parts }
}

/**
 * Removals first, then changes and additions in the order of the second plan. `reasons` says why,
 * by step id. Applied to the first plan they give the second, when kept steps keep their order.
 */
export const diffPlans = (
  before: Plan,
  after: Plan,
  reasons: ReadonlyMap<string, string>,
): ReadonlyArray<Modification> => {
  const reason = (id: string, otherwise: string) => reasons.get(id) ?? otherwise
  const kept = new Set(after.steps.map((step) => step.id))
  const removals = before.steps
    .filter((step) => !kept.has(step.id))
    .map(({ id }): Modification => ({
      op: "remove",
      step: id,
      rationale: reason(id, "no requirement asks for it"),
    }))
  // A removal rewires the steps that read the removed one; changes start from there.
  const remaining = applyModifications(before, removals).plan.steps
  const old = new Map(remaining.map((step) => [step.id, step]))
  const rest = after.steps.flatMap((step, at): ReadonlyArray<Modification> => {
    const { each, id, tool, inputs, params, needs, satisfies } = step
    const former = old.get(id)
    if (former !== undefined) {
      const changed = change(former, step, reason(id, "filled from the requirements"))
      return changed === undefined ? [] : [changed]
    }
    const previous = after.steps[at - 1]
    return [
      {
        op: "add",
        step: id,
        rationale: reason(id, "a requirement asks for it"),
        tool,
        inputs,
        params,
        ...(each === undefined ? {} : { each }),
        ...(needs === undefined ? {} : { needs }),
        satisfies,
        after: previous?.id ?? SOURCE,
      },
    ]
  })
  return [...removals, ...rest]
}
