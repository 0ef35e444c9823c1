/** A plan fitted to requirements, with its modifications, assumptions and uncovered requirements. */
import type { PlanTemplate } from "./PlanTemplate.ts"
import type { Coverage } from "./CoverageReport.ts"
import type { LintIssue } from "./LintIssue.ts"
import type { Modification } from "./Modification.ts"
import type { Plan } from "./Plan.ts"

export interface Adaptation {
  readonly plan: Plan
  /** From the template's own steps to the plan. */
  readonly modifications: ReadonlyArray<Modification>
  /** The template it started from; undefined when none fits. */
  readonly template: string | undefined
  /** Choices that the request leaves open and that a reader of the result must know. */
  readonly assumptions: ReadonlyArray<string>
  /** Whether the plan passes coverage and lint. */
  readonly ok: boolean
  /** Ids of requirements that no available tool meets. */
  readonly uncovered: ReadonlyArray<string>
  readonly coverage: Coverage
  readonly lint: ReadonlyArray<LintIssue>
}

/** The template as a plan, before arguments are filled or optional steps removed. */
export const planOf = (template: PlanTemplate | undefined): Plan => ({
  steps: (template?.steps ?? []).map(({ each, id, tool, inputs, params }) => ({
    id,
    tool,
    inputs,
    params,
    ...(each === undefined ? {} : { each }),
    satisfies: [],
  })),
})

/** Ids of the requirements that a coverage report lists as missing. */
export const uncoveredIds = ({ missing }: Pick<Coverage, "missing">): ReadonlyArray<string> =>
  Object.entries(missing).flatMap(([kind, labels]) => labels.map((label) => `${kind}:${label}`))
