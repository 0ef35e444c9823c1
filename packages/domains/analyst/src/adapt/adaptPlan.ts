/** Fits a plan to requirements without a model: by capabilities, roles of arguments and types of data. */
import { chooseTemplate, diffPlans, planOf, uncoveredIds } from "@planloom/planning"
import type { Adaptation } from "@planloom/planning"
import { coverTablePlan, lintTablePlan } from "../rules/checkTablePlan.ts"
import { tableRules } from "../rules/tableRules.ts"
import type { AdaptInput } from "./AdaptInput.ts"
import { completePlan } from "./completePlan.ts"
import { draftPlan } from "./draftPlan.ts"

/**
 * Chooses a template, keeps what the requirements ask for, fills arguments by role, adds steps for
 * what is uncovered. The result passes coverage and lint whenever `ok` is true; otherwise
 * `uncovered`, `coverage` and `lint` report what is left. Same input, same plan.
 */
export const adaptPlan = (input: AdaptInput): Adaptation => {
  const { requirements, tools, profile } = input
  const template = chooseTemplate(input.templates, tableRules(requirements))
  const reasons = new Map<string, string>()
  const assumptions = new Set<string>()
  const draft = draftPlan(template, input, reasons, assumptions)
  const plan = completePlan(draft, template, input, reasons, assumptions)
  const covered = coverTablePlan(plan, requirements, tools)
  const lint = lintTablePlan(plan, tools, { profile })
  return {
    plan,
    modifications: diffPlans(planOf(template), plan, reasons),
    template: template?.name,
    assumptions: [...assumptions],
    ok: covered.ok && lint.length === 0,
    uncovered: uncoveredIds(covered),
    coverage: covered,
    lint,
  }
}
