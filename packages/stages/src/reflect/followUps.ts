/** Adds the steps that rules name to a plan. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { SOURCE, type Plan, type Step } from "@planloom/planning"
import { isObject, sameJson } from "@planloom/schema"
import { fittingPlan, type PlanGround } from "../plan/fittingPlan.ts"
import type { Missing, WrittenStep } from "./Reflection.ts"

/** Steps that the plan has are left out, and those of a rule with which it could not be executed. */
export const withFollowUps = (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  ground: PlanGround,
): Plan => {
  let extended = plan
  for (const { reason, rule, then = [] } of missing) {
    const next = then.reduce(
      (made, written) => withStep(made, written, `${rule}: ${reason}`),
      extended,
    )
    if (next !== extended && !("issues" in fittingPlan(next, { ...ground, before: plan })))
      extended = next
  }
  return extended
}

const withStep = (plan: Plan, written: WrittenStep, rationale: string): Plan => {
  const step = stepOf(written, plan.steps, rationale)
  const isThere = plan.steps.some(
    (one) => one.tool === step.tool && (one.id === written.id || isSameCall(one, step)),
  )
  return isThere ? plan : { ...plan, steps: [...plan.steps, step] }
}

const isSameCall = (one: Step, other: Step): boolean =>
  sameJson(one.params, other.params) &&
  sameJson(one.inputs, other.inputs) &&
  sameJson(one.each, other.each)

/** The step with names of its own, whatever the names in the plan are. */
const stepOf = (written: WrittenStep, steps: ReadonlyArray<Step>, rationale: string): Step => {
  const { each, params = {}, ...rest } = written
  const ids = steps.map(({ id }) => id)
  const items = steps.flatMap((step) => (step.each === undefined ? [] : [step.each.as]))
  const id = free(written.id, [...ids, ...items])
  const as = each === undefined ? undefined : free(each.as, [SOURCE, ...ids, id])
  const from = (name: string) =>
    ids.includes(name) ? name : (steps.find(({ tool }) => tool === name)?.id ?? name)
  const item = (name: string) => (name === each?.as ? as! : from(name))
  return {
    inputs: {},
    satisfies: [],
    rationale,
    ...rest,
    id,
    params: renamed(params, item) as JsonObject,
    ...(each === undefined
      ? {}
      : { each: { ...each, over: { ...each.over, $from: from(each.over.$from) }, as: as! } }),
  }
}

const free = (name: string, taken: ReadonlyArray<string>): string => {
  let number = 1
  const named = () => (number === 1 ? name : `${name}_${number}`)
  while (taken.includes(named())) number++
  return named()
}

/** The value with other names in its references. */
const renamed = (value: Json, nameOf: (name: string) => string): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item, nameOf))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, one]) => [
      name,
      name === "$from" && typeof one === "string" ? nameOf(one) : renamed(one, nameOf),
    ]),
  )
}
