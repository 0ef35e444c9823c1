/** Draws the kind of chart that a question names. */
import { findTool } from "@planloom/planning"
import type { Plan, PlanTemplate } from "@planloom/planning"
import { listRequirements } from "../requirements/listRequirements.ts"
import { serves } from "../rules/serves.ts"
import { drawsChart } from "../rules/ToolRoles.ts"
import type { AdaptInput } from "./AdaptInput.ts"
import { removeStep } from "./tableWiring.ts"
import { tryTool, type Trial } from "./tryTool.ts"

/** Replaces a chart of another kind, if a tool draws the kind that is named. */
export const chartAsWished = (
  plan: Plan,
  input: AdaptInput,
  template: PlanTemplate | undefined,
): { readonly plan: Plan; readonly trial?: Trial } => {
  const { requirements, tools } = input
  const goal = listRequirements(requirements).find(({ kind }) => kind === "chart_type")
  const isServed = (by: Plan) =>
    by.steps.some(
      (step) => serves(goal!, step, { plan: by, requirements, tools }).how === "fulfils",
    )
  if (goal === undefined || isServed(plan)) return { plan }
  const other = plan.steps.findLast((step) => {
    const tool = findTool(tools, step.tool)
    return tool !== undefined && drawsChart(tool)
  })
  const rest = other === undefined ? plan : removeStep(plan, other, tools)
  for (const tool of tools) {
    const trial = drawsChart(tool) ? tryTool(tool, goal, rest, input, template) : undefined
    if (trial !== undefined && isServed(trial.plan)) return { plan: trial.plan, trial }
  }
  return { plan }
}
