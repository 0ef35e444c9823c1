/** Repairs unambiguous mistakes in a model's plan. */
import type { Json, Tool } from "@planloom/plugin/effect"
import { nearest, repairInputs, repairStep } from "@planloom/planning"
import type { DomainRules, Plan, Repair, RepairedStep, Requirement, Step } from "@planloom/planning"

/** Corrects misspelled ids of requirements. */
export const normalizeCitations = (made: Plan, requirements: ReadonlyArray<Requirement>): Plan => {
  const ids = requirements.map(({ id }) => id)
  return {
    ...made,
    steps: made.steps.map((step) => ({
      ...step,
      satisfies: step.satisfies.map((id) => (ids.includes(id) ? id : (nearest(id, ids) ?? id))),
    })),
  }
}

export type StepRepair = Repair & { readonly step: string }

export interface RepairedPlan {
  readonly plan: Plan
  readonly repairs: ReadonlyArray<StepRepair>
}

/** Repairs every step with the domain's rules for the data. */
export const repairPlan = (
  made: Plan,
  tools: ReadonlyArray<Tool>,
  { dataRules, source }: Pick<DomainRules, "dataRules" | "source">,
  profile: Json | undefined,
): RepairedPlan => {
  const data = dataRules?.(profile)
  const options = { source, ...(data === undefined ? {} : { data }) }
  return repairedPlan(made, (step) => repairStep(step, made, tools, options))
}

/** Repairs what the steps read. The params of each are repaired when it is called. */
export const wirePlan = (
  made: Plan,
  tools: ReadonlyArray<Tool>,
  { source }: DomainRules,
): RepairedPlan => repairedPlan(made, (step) => repairInputs(step, made, tools, source))

const repairedPlan = (made: Plan, repair: (step: Step) => RepairedStep): RepairedPlan => {
  const repaired = made.steps.map(repair)
  return {
    plan: { ...made, steps: repaired.map(({ step }) => step) },
    repairs: repaired.flatMap(({ step, repairs }) =>
      repairs.map((one) => ({ step: step.id, ...one })),
    ),
  }
}
