/** A plan of written steps that can be executed: repaired where the mistake is unambiguous, refused with its issues otherwise. */
import { StageFailed, type JsonObject, type Tool } from "@planloom/plugin/effect"
import {
  completePlan,
  freeId,
  lintPlan,
  nameClash,
  type DomainRules,
  type LintIssue,
  type Plan,
  type WrittenPlan,
} from "@planloom/planning"
import { asJson } from "@planloom/stage-kit"
import { repairPlan, type StepRepair } from "../repairPlan.ts"

export type FittingPlan =
  | { readonly plan: Plan; readonly repairs: ReadonlyArray<StepRepair> }
  | { readonly issues: ReadonlyArray<PlanIssue> }

/** As a model reads it. */
export interface PlanIssue {
  readonly path: string
  readonly message: string
}

/** The measures of a plan. */
export interface PlanGround {
  readonly tools: ReadonlyArray<Tool>
  readonly domain: Pick<DomainRules, "dataRules" | "source">
  /** The plan before a change, which is not refused for issues that it had already. */
  readonly before?: Plan
}

/** A plan without a step is empty, and fits. */
export const fittingPlan = (written: WrittenPlan, ground: PlanGround): FittingPlan => {
  const made = completePlan(written)
  if (made.steps.length === 0) return { plan: made, repairs: [] }
  const judged = judge(made, ground)
  const known = ground.before === undefined ? [] : judge(ground.before, ground).issues
  const issues = judged.issues.filter(
    ({ message, path }) => !known.some((one) => one.path === path && one.message === message),
  )
  return issues.length > 0 ? { issues } : { plan: judged.plan, repairs: judged.repairs }
}

/** Codes of issues that a clash of names is reported by. */
const namesAreSaid: ReadonlyArray<string> = ["duplicate_id", "reserved_id"]

const judge = (made: Plan, { domain, tools }: PlanGround) => {
  const { plan, repairs } = repairPlan(made, tools, domain, undefined)
  const found = lintPlan(plan, tools, { source: domain.source })
  const clash = nameClash(plan)
  const isNew = clash !== undefined && !found.some(({ code }) => namesAreSaid.includes(code))
  const issues = found.map(issueOf)
  return { plan, repairs, issues: isNew ? [...issues, { path: "steps", message: clash }] : issues }
}

const issueOf = ({ message, step, suggestion }: LintIssue): PlanIssue => ({
  path: step === undefined ? "steps" : `steps.${step}`,
  message: suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`,
})

/** The failure of a model whose reply gives no plan that can be executed. */
export const unfitPlan = (issues: ReadonlyArray<PlanIssue>, reply: string): StageFailed =>
  new StageFailed({
    class: "invalid_output",
    message: `the plan cannot be executed: ${issues[0]!.message}`,
    detail: { reply, issues: issues.map(asJson) },
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
