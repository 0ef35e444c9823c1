/** Plan rules over tables, from the requirements of a question. */
import type { PlanRules } from "@planloom/planning"
import type { Analysis, Requirements } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { canAnalyze } from "./canAnalyze.ts"
import { orderRules } from "./orderRules.ts"
import { serves } from "./serves.ts"

/** Weight of a template's matches by kind: analyses most, outputs least. */
const weights = {
  analysis: 3,
  time: 2,
  group_by: 2,
  top_n: 2,
  window: 2,
  horizon: 2,
  metrics: 1,
  filter: 1,
  part: 1,
  having: 1,
  time_part: 1,
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
    kind === "analysis" ? canAnalyze(tool, label as Analysis) : undefined,
  weights,
})
