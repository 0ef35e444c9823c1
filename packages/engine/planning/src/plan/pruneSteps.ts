/** Removes the steps of a plan that nothing asks for. */
import type { Tool } from "@planloom/plugin/effect"
import { coverage } from "./coverage.ts"
import type { Plan, Step } from "./Plan.ts"
import { dataDependencies } from "./planGraph.ts"
import type { PlanRules } from "./PlanRules.ts"

export interface Pruned {
  readonly plan: Plan
  readonly removed: ReadonlyArray<Step>
}

/** Issues of a step whose removal fixes them. */
const superfluous: ReadonlySet<string> = new Set(["uncited", "forbidden_output", "duplicate_step"])

/**
 * Only a plan that passes the coverage check without them loses steps; any other is returned unchanged, because its
 * author may have meant them for what is missing. A step that another one reads stays.
 */
export const pruneSteps = (plan: Plan, rules: PlanRules, tools: ReadonlyArray<Tool>): Pruned => {
  const removed: Array<Step> = []
  let rest = plan
  for (;;) {
    const { issues, ok } = coverage(rest, rules, tools)
    if (ok) return { plan: rest, removed }
    const step = rest.steps.findLast(
      ({ id }) =>
        issues.some((issue) => issue.step === id && superfluous.has(issue.code)) &&
        !rest.steps.some((one) => dataDependencies(one).includes(id)),
    )
    if (step === undefined) return { plan, removed: [] }
    removed.unshift(step)
    rest = { ...rest, steps: rest.steps.filter((one) => one !== step) }
  }
}
