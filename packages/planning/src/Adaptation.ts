/** A plan fitted to requirements, with what led to it and what it leaves open. */
import type { PlanTemplate } from "@planloom/plugin"
import type { Coverage } from "./CoverageReport.ts"
import type { LintIssue } from "./lintPlan.ts"
import type { Modification } from "./Modification.ts"
import type { Plan } from "./Plan.ts"

export interface Adaptation {
  readonly plan: Plan
  /** From the template's own steps to the plan. */
  readonly modifications: ReadonlyArray<Modification>
  /** The template it started from; undefined when none fits. */
  readonly template: string | undefined
  /** What was chosen that the request leaves open and a reader must know. */
  readonly assumptions: ReadonlyArray<string>
  /** Whether the plan passes coverage and lint. */
  readonly ok: boolean
  /** Ids of requirements no available tool meets. */
  readonly uncovered: ReadonlyArray<string>
  readonly coverage: Coverage
  readonly lint: ReadonlyArray<LintIssue>
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

/** Ids of what a coverage report lists as missing. */
export const uncoveredIds = ({ missing }: Pick<Coverage, "missing">): ReadonlyArray<string> =>
  Object.entries(missing).flatMap(([kind, labels]) => labels.map((label) => `${kind}:${label}`))
