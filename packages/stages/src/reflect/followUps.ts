/** Adds the steps that rules name to a plan. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Plan, Step } from "@planloom/planning"
import { isObject } from "@planloom/schema"
import type { Missing, WrittenStep } from "./Reflection.ts"

/** Steps whose id the plan has are left out. */
export const withFollowUps = (plan: Plan, missing: ReadonlyArray<Missing>): Plan => {
  let { steps } = plan
  for (const { reason, rule, then = [] } of missing) {
    for (const written of then) {
      if (steps.some(({ id }) => id === written.id)) continue
      steps = [...steps, stepOf(written, steps, `${rule}: ${reason}`)]
    }
  }
  return { ...plan, steps }
}

const stepOf = (written: WrittenStep, steps: ReadonlyArray<Step>, rationale: string): Step => {
  const { each, params = {}, ...rest } = written
  return {
    inputs: {},
    satisfies: [],
    rationale,
    ...rest,
    params: resolved(params, steps) as JsonObject,
    ...(each === undefined ? {} : { each: resolved(each as unknown as Json, steps) as never }),
  }
}

/** The value with the id of a step in place of the name of its tool. */
const resolved = (value: Json, steps: ReadonlyArray<Step>): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => resolved(item, steps))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, one]) => [
      name,
      name === "$from" && typeof one === "string" ? stepNamed(one, steps) : resolved(one, steps),
    ]),
  )
}

const stepNamed = (name: string, steps: ReadonlyArray<Step>): string =>
  steps.some(({ id }) => id === name) ? name : (steps.find(({ tool }) => tool === name)?.id ?? name)
