/** What a plan over tables must meet, from the requirements of a question. */
import type { PlanRules } from "@planloom/planning"
import type { Analysis, Requirements } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { canAnalyse } from "./canAnalyse.ts"
import { orderRules } from "./orderRules.ts"
import { serves } from "./serves.ts"

/** What a template's match says about the intent: an analysis most, an output hardly anything. */
const weights = {
  analysis: 3,
  time: 2,
  group_by: 2,
  top_n: 2,
  window: 2,
  horizon: 2,
  metrics: 1,
  filter: 1,
  outputs: 0.5,
  chart_type: 0.5,
  exclude: 0,
}

export const tableRules = (requirements: Requirements): PlanRules => ({
  requirements: listRequirements(requirements),
  serves: (requirement, step, _, situation) =>
    serves(requirement as TableRequirement, step, { ...situation, requirements }),
  order: orderRules(requirements),
  canServe: ({ kind, label }, tool) =>
    kind === "analysis" ? canAnalyse(tool, label as Analysis) : undefined,
  weights,
})
