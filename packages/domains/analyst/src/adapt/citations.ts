/** Requirements that a step may cite, because it serves them. */
import type { Plan, Step } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import type { Requirements } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { serves } from "../rules/serves.ts"
import type { TableSituation } from "../rules/serves.ts"

/** Kinds that justify a step; an output form alone (table, chart) does not. */
const isSubstance = ({ kind }: TableRequirement): boolean =>
  kind !== "outputs" && kind !== "chart_type"

/** Ids of all requirements it serves; empty if it serves only an output form although there are analyses. */
const citationsOf = (step: Step, situation: TableSituation): ReadonlyArray<string> => {
  const requirements = listRequirements(situation.requirements)
  const served = requirements.filter(
    (requirement) => serves(requirement, step, situation).how !== "no",
  )
  const pointless = requirements.some(isSubstance) && !served.some(isSubstance)
  return pointless ? [] : served.map(({ id }) => id)
}

/** The same plan with every step citing exactly what it serves. */
export const citeAll = (
  plan: Plan,
  requirements: Requirements,
  tools: ReadonlyArray<Tool>,
): Plan => ({
  steps: plan.steps.map((step) => ({
    ...step,
    satisfies: citationsOf(step, { plan, requirements, tools }),
  })),
})
