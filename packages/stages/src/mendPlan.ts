/** A model's plan, with the slips mended that are beyond doubt. */
import type { Tool } from "@planloom/plugin"
import { listRequirements, nearest, repairStep } from "@planloom/planning"
import type { Plan, Repair, Requirements } from "@planloom/planning"
import type { DataProfile } from "@planloom/tables"

/** A requirement's id written with a slip or a space is still that requirement. */
export const foldCitations = (made: Plan, required: Requirements): Plan => {
  const ids = listRequirements(required).map(({ id }) => id)
  return {
    steps: made.steps.map((step) => ({
      ...step,
      satisfies: step.satisfies.map((id) => (ids.includes(id) ? id : (nearest(id, ids) ?? id))),
    })),
  }
}

export interface Mended {
  readonly plan: Plan
  readonly repairs: ReadonlyArray<Repair & { readonly step: string }>
}

export const mend = (made: Plan, tools: ReadonlyArray<Tool>, data: DataProfile): Mended => {
  const options = data.columns.length === 0 ? {} : { profile: data }
  const mended = made.steps.map((step) => repairStep(step, made, tools, options))
  return {
    plan: { steps: mended.map(({ step }) => step) },
    repairs: mended.flatMap(({ step, repairs }) =>
      repairs.map((repair) => ({ step: step.id, ...repair })),
    ),
  }
}
