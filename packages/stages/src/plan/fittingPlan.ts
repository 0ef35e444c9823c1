/** A plan of written steps that can be executed: repaired where the mistake is unambiguous, refused with its issues otherwise. */
import type { Tool } from "@planloom/plugin/effect"
import {
  completePlan,
  freeId,
  lintPlan,
  nameClash,
  type LintIssue,
  type Plan,
  type WrittenPlan,
} from "@planloom/planning"
import type { JsonObject } from "@planloom/plugin/effect"
import { repairPlan, type StepRepair } from "../repairPlan.ts"

export type FittingPlan =
  | { readonly plan: Plan; readonly repairs: ReadonlyArray<StepRepair> }
  | { readonly issues: ReadonlyArray<PlanIssue> }

/** As a model reads it. */
export interface PlanIssue {
  readonly path: string
  readonly message: string
}

/** A plan without a step is empty, and fits. */
export const fittingPlan = (written: WrittenPlan, tools: ReadonlyArray<Tool>): FittingPlan => {
  const made = completePlan(written)
  if (made.steps.length === 0) return { plan: made, repairs: [] }
  const { plan, repairs } = repairPlan(made, tools, {}, undefined)
  const issues = lintPlan(plan, tools).map(issueOf)
  if (issues.length > 0) return { issues }
  const clash = nameClash(plan)
  return clash === undefined ? { plan, repairs } : { issues: [{ path: "steps", message: clash }] }
}

const issueOf = ({ message, step, suggestion }: LintIssue): PlanIssue => ({
  path: step === undefined ? "steps" : `steps.${step}`,
  message: suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`,
})

/** Steps that make the calls, each with an id of its own. */
export const stepsOf = (
  calls: ReadonlyArray<{ readonly tool: string; readonly params: JsonObject }>,
): WrittenPlan["steps"] => {
  let plan: Plan = { steps: [] }
  for (const { params, tool } of calls) {
    const step = { id: freeId(plan, tool), tool, inputs: {}, params, satisfies: [] }
    plan = { steps: [...plan.steps, step] }
  }
  return plan.steps
}
