/** Fits a plan to requirements without a model: by capabilities, roles of arguments and types of data. */
import { chooseTemplate } from "./chooseTemplate.ts"
import { completePlan } from "./completePlan.ts"
import { coverage } from "./coverage.ts"
import type { Coverage } from "./CoverageReport.ts"
import type { DataProfile } from "@planloom/tables"
import { diffPlans } from "./diffPlans.ts"
import { draftPlan } from "./draftPlan.ts"
import { lintPlan } from "./lintPlan.ts"
import type { LintIssue } from "./lintPlan.ts"
import type { Modification } from "./Modification.ts"
import type { Plan } from "./Plan.ts"
import type { PlanTemplate } from "./PlanTemplate.ts"
import { listRequirements } from "./Requirement.ts"
import type { Requirements } from "./Requirements.ts"
import type { Tool } from "./Tool.ts"

export interface Adaptation {
  readonly plan: Plan
  /** From the template's own steps to the plan. */
  readonly modifications: ReadonlyArray<Modification>
  /** The template it began with; undefined when none fits. */
  readonly template: string | undefined
  /** What was chosen that the question leaves open and a reader must know. */
  readonly assumptions: ReadonlyArray<string>
  /** Whether the plan passes coverage and lint. */
  readonly ok: boolean
  /** Requirements no available tool meets. */
  readonly uncovered: ReadonlyArray<string>
  readonly coverage: Coverage
  readonly lint: ReadonlyArray<LintIssue>
}

export interface AdaptInput {
  readonly templates: ReadonlyArray<PlanTemplate>
  readonly requirements: Requirements
  readonly tools: ReadonlyArray<Tool>
  readonly profile: DataProfile
}

/** The plan a template stands for before anything is filled in or left out. */
export const planOf = (template: PlanTemplate | undefined): Plan => ({
  steps: (template?.steps ?? []).map(({ id, tool, inputs, params }) => ({
    id,
    tool,
    inputs,
    params,
    satisfies: [],
  })),
})

/**
 * Chooses a template, keeps what the requirements ask for, fills arguments by role, adds steps for
 * what is uncovered. The result passes coverage and lint whenever `ok` is true; otherwise
 * `uncovered`, `coverage` and `lint` say what could not be done. Same input, same plan.
 */
export const adaptPlan = (input: AdaptInput): Adaptation => {
  const { requirements, tools, profile } = input
  const template = chooseTemplate(input.templates, listRequirements(requirements))
  const reasons = new Map<string, string>()
  const assumptions = new Set<string>()
  const draft = draftPlan(template, input, reasons, assumptions)
  const plan = completePlan(draft, template, input, reasons, assumptions)
  const covered = coverage(plan, requirements, tools)
  const lint = lintPlan(plan, tools, { profile })
  return {
    plan,
    modifications: diffPlans(planOf(template), plan, reasons),
    template: template?.name,
    assumptions: [...assumptions],
    ok: covered.ok && lint.length === 0,
    uncovered: Object.entries(covered.missing).flatMap(([kind, labels]) =>
      labels.map((label) => `${kind}:${label}`),
    ),
    coverage: covered,
    lint,
  }
}
