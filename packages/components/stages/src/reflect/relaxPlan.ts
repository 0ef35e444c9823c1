/** Relaxes the steps of a plan that found nothing, by the changes that the workflow declares for their tools. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import type { Plan, Step } from "@planloom/planning"
import { propertiesOf } from "@planloom/planning"
import { isObject } from "@planloom/schema"
import type { ParamChange } from "./Reflection.ts"

/** By tool: the changes of the first time, of the second … The last ones are those of every later time. */
export type Relaxations = {
  readonly [tool: string]: ReadonlyArray<{ readonly [param: string]: ParamChange }>
}

/** The same plan without a change for the given steps. */
export const relaxPlan = (
  plan: Plan,
  empty: ReadonlyArray<string>,
  relaxations: Relaxations,
  round: number,
  tools: ReadonlyArray<Tool>,
): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => {
    const rounds = Object.hasOwn(relaxations, step.tool) ? relaxations[step.tool]! : []
    const changes = rounds[Math.min(round, rounds.length - 1)]
    return empty.includes(step.id) && changes !== undefined
      ? relaxed(
          step,
          changes,
          tools.find(({ name }) => name === step.tool),
        )
      : step
  }),
})

const relaxed = (
  step: Step,
  changes: { readonly [param: string]: ParamChange },
  tool: Tool | undefined,
): Step => {
  const schemas = new Map(tool === undefined ? [] : propertiesOf(tool))
  const params: { [name: string]: Json } = { ...step.params }
  for (const [name, change] of Object.entries(changes)) {
    const schema = schemas.get(name)
    const known = isObject(schema) ? (schema as JsonObject) : {}
    const value = changed(params[name] ?? known["default"], change, known)
    if (value !== undefined) params[name] = value
  }
  return { ...step, params }
}

/** Stays within the `minimum` and `maximum` of the param. */
const changed = (
  before: Json | undefined,
  { at_least: least, at_most: most, set, times = 1 }: ParamChange,
  { maximum, minimum }: JsonObject,
): Json | undefined => {
  if (set !== undefined) return set
  const start = typeof before === "number" ? before * times : (least ?? most)
  if (start === undefined) return before
  const raised = Math.max(start, least ?? start)
  const lowered = Math.min(raised, most ?? raised)
  return Math.max(
    Math.min(lowered, typeof maximum === "number" ? maximum : lowered),
    typeof minimum === "number" ? minimum : -Infinity,
  )
}
