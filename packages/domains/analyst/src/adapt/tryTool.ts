/** Tries a tool for a requirement: the plan with a step of it, if that covers more and violates no rule. */
import { can, freeId } from "@planloom/planning"
import type { Plan, PlanTemplate, Step } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import { listRequirements } from "../requirements/listRequirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { coverTablePlan, lintTablePlan } from "../rules/checkTablePlan.ts"
import { columnsAt, tableSlot } from "../rules/columnsAt.ts"
import { serves } from "../rules/serves.ts"
import { drawsChart } from "../rules/ToolRoles.ts"
import type { AdaptInput } from "./AdaptInput.ts"
import { citeAll } from "./citations.ts"
import { fillParams } from "./fillParams.ts"
import { inputsFor, insertStep } from "./tableWiring.ts"

export interface Trial {
  readonly plan: Plan
  readonly step: Step
  readonly notes: ReadonlyArray<string>
  readonly assumptions: ReadonlyArray<string>
  readonly score: number
}

/** Requirements that no step both cites and fulfils. */
export const missingIds = (
  plan: Plan,
  { requirements, tools }: AdaptInput,
): ReadonlySet<string> => {
  const situation = { plan, requirements, tools }
  const covers = (requirement: TableRequirement) =>
    plan.steps.some(
      (step) =>
        step.satisfies.includes(requirement.id) &&
        serves(requirement, step, situation).how === "fulfils",
    )
  return new Set(
    listRequirements(requirements)
      .filter((one) => one.must && one.kind !== "exclude" && !covers(one))
      .map(({ id }) => id),
  )
}

/** The plan with a step of this tool for this requirement, if that covers it and violates no rule. */
export const tryTool = (
  tool: Tool,
  goal: TableRequirement,
  plan: Plan,
  input: AdaptInput,
  template: PlanTemplate | undefined,
): Trial | undefined => {
  const { requirements, tools, profile } = input
  const inputs = inputsFor(tool, plan, tools, requirements)
  if (inputs === undefined) return undefined
  const slot = tableSlot(tool)
  if (slot === undefined) return undefined
  const columns = columnsAt(plan, inputs[slot], tools, profile)
  const filled = fillParams(tool, {}, { requirements, profile, columns, goal })
  if (filled.missing.length > 0) return undefined
  const made: Step = {
    id: freeId(plan, tool.name),
    tool: tool.name,
    inputs,
    params: filled.params,
    satisfies: [],
  }
  // With its inputs alone, the step must already fulfil its requirement.
  const alone = { plan: { steps: [...plan.steps, made] }, requirements, tools }
  if (serves(goal, made, alone).how === "no") return undefined
  const before = missingIds(plan, input)
  const next = citeAll(insertStep(plan, made, tool, tools), requirements, tools)
  const step = next.steps.find(({ id }) => id === made.id)
  if (step === undefined || step.satisfies.length === 0) return undefined
  const after = missingIds(next, input)
  if (after.has(goal.id)) return undefined
  if (lintTablePlan(next, tools, { profile }).some((issue) => issue.step === step.id))
    return undefined
  const checked = coverTablePlan(next, requirements, tools)
  const problems = checked.issues.filter(
    (issue) => issue.step === step.id && issue.code !== "aggregate_before_plot",
  )
  if (problems.length > 0) return undefined
  const wantsChart =
    requirements.outputs.includes("chart") ||
    requirements.constraints.some(({ kind }) => kind === "chart_type")
  const index = tools.indexOf(tool)
  const score =
    // Ranked by coverage, then by specialty, then by the rank of the tool.
    10 * (before.size - after.size) +
    (template?.tools.includes(tool.name) === true ? 3 : 0) +
    (goal.kind === "analysis" && can(tool, goal.label) ? 3 : 0) +
    (step.satisfies.some((id) => id.startsWith("chart_type:")) ? 5 : 0) -
    (drawsChart(tool) && !wantsChart ? 8 : 0) -
    (goal.kind !== "outputs" && drawsChart(tool) ? 12 : 0) -
    // A time series needs a time axis, groups need bars.
    (can(tool, "time_series") && drawsChart(tool) && requirements.time.column === "" ? 6 : 0) -
    index / 100
  return { plan: next, step, notes: filled.notes, assumptions: filled.assumptions, score }
}
