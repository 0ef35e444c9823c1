/** Which requirements a step may truthfully cite. */
import type { Plan, Step } from "./Plan.ts"
import type { Requirement } from "./Requirement.ts"
import { listRequirements } from "./Requirement.ts"
import type { Requirements } from "./Requirements.ts"
import { serves } from "./serves.ts"
import type { Situation } from "./serves.ts"
import type { Tool } from "./Tool.ts"

/** Kinds that make a step worth having; a table or a chart of nothing asked for is not. */
const isSubstance = ({ kind }: Requirement): boolean => kind !== "outputs" && kind !== "chart_type"

/** Ids of all it serves; none when it serves only a form of output while something was asked for. */
const citationsOf = (step: Step, situation: Situation): ReadonlyArray<string> => {
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
