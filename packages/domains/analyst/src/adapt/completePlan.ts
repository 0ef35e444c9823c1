/** Adds steps to a draft until every requirement that the tools can cover is covered, and removes unjustified steps. */
import { can, findTool, freeId } from "@planloom/planning"
import type { Plan, PlanTemplate } from "@planloom/planning"
import type { Analysis } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import type { TableKind, TableRequirement } from "../requirements/listRequirements.ts"
import { aggregates, drawsChart, namesIn, paramOf } from "../rules/ToolRoles.ts"
import { coverTablePlan } from "../rules/checkTablePlan.ts"
import { tableSlot } from "../rules/columnsAt.ts"
import { functionsOf } from "../rules/serves.ts"
import type { AdaptInput } from "./AdaptInput.ts"
import { chartAsWished } from "./chartAsWished.ts"
import { citeAll } from "./citations.ts"
import { reasonFor } from "./draftPlan.ts"
import { removeStep, tableFor } from "./tableWiring.ts"
import { missingIds, tryTool } from "./tryTool.ts"

/** Order of steps: filter, group, analyze, draw. */
const turn: { readonly [K in TableKind]: number } = {
  time_part: -1,
  filter: 0,
  group_by: 1,
  time: 2,
  analysis: 3,
  part: 3,
  metrics: 4,
  having: 4,
  top_n: 5,
  window: 5,
  horizon: 5,
  outputs: 6,
  chart_type: 7,
  exclude: 8,
}

/** One more chart for each further metric, when charts show one metric each. At most three in all. */
const chartsPerMetric = (plan: Plan, input: AdaptInput): Plan => {
  const { requirements, tools } = input
  let result = plan
  for (const step of plan.steps) {
    const tool = findTool(tools, step.tool)
    const name = tool === undefined ? undefined : paramOf(tool, "y")?.[0]
    const y = name === undefined ? undefined : step.params[name]
    if (tool === undefined || !drawsChart(tool) || typeof y !== "string") continue
    // A scatter plot shows two metrics at once.
    if (can(tool, "correlation", "scatter")) continue
    for (const metric of requirements.metrics.slice(0, 3)) {
      if (metric === y || !requirements.metrics.includes(y)) continue
      const params = { ...step.params, [name as string]: metric }
      const same = { ...step, params, id: freeId(result, `${step.id}_${metric}`) }
      result = { steps: [...result.steps, same] }
    }
  }
  return citeAll(result, requirements, tools)
}

/**
 * A chart shows its x, colour and facet; when its table is grouped by more than that, its points
 * would overlap. It then gets an aggregate of its own, by what it shows.
 */
const groupForCharts = (plan: Plan, input: AdaptInput): Plan => {
  const { requirements, tools } = input
  let result = plan
  for (const step of plan.steps) {
    const tool = findTool(tools, step.tool)
    const slot = tool === undefined ? undefined : tableSlot(tool)
    const from = slot === undefined ? undefined : step.inputs[slot]
    const source = result.steps.find(({ id }) => id === from)
    const by = source === undefined ? undefined : findTool(tools, source.tool)
    if (tool === undefined || slot === undefined || source === undefined || by === undefined)
      continue
    if (!drawsChart(tool) || !aggregates(by)) continue
    const name = paramOf(by, "group_by")?.[0] as string
    const groups = namesIn(by, source.params, ["group_by"])
    const shown = namesIn(tool, step.params, ["x", "color", "facet"])
    const kept = groups.filter((one) => shown.includes(one))
    if (kept.length === groups.length) continue
    const id = freeId(result, `${source.id}_by_${kept.join("_") || "time"}`)
    const own = { ...source, id, params: { ...source.params, [name]: kept } }
    const at = result.steps.findIndex((one) => one.id === source.id)
    result = {
      steps: result.steps
        .map((one) =>
          one.id === step.id ? { ...one, inputs: { ...one.inputs, [slot]: id } } : one,
        )
        .toSpliced(at + 1, 0, own),
    }
  }
  return citeAll(result, requirements, tools)
}

/** A chart that reads raw rows while there is an aggregate reads the aggregate. */
const drawGroups = (plan: Plan, input: AdaptInput): Plan => {
  const { requirements, tools } = input
  const { order } = coverTablePlan(plan, requirements, tools)
  let result = plan
  for (const { code, step: id, before } of order) {
    const step = result.steps.find((one) => one.id === id)
    const tool = step === undefined ? undefined : findTool(tools, step.tool)
    const slot = tool === undefined ? undefined : tableSlot(tool)
    if (code !== "aggregate_before_plot" || before === undefined || tool === undefined) continue
    if (step === undefined || slot === undefined) continue
    const steps = result.steps.filter((one) => one !== step)
    const from = tableFor(tool, { steps }, tools, requirements)
    result = { steps: [...steps, { ...step, inputs: { ...step.inputs, [slot]: from } }] }
  }
  return citeAll(result, requirements, tools)
}

/** Removes a step out of order that cannot be repaired: a missing step is better than a wrong one. */
const removeDisorder = (plan: Plan, input: AdaptInput): Plan => {
  let result = plan
  for (;;) {
    const [first] = coverTablePlan(result, input.requirements, input.tools).order
    const step = result.steps.find(({ id }) => id === first?.step)
    if (step === undefined) return result
    result = citeAll(removeStep(result, step, input.tools), input.requirements, input.tools)
  }
}

const removeIdle = (plan: Plan, { requirements, tools }: AdaptInput): Plan => {
  let result = plan
  for (;;) {
    const idle = result.steps.find((step) => step.satisfies.length === 0)
    if (idle === undefined) return result
    result = citeAll(removeStep(result, idle, tools), requirements, tools)
  }
}

/** Adds the reason for every added step to `reasons`, by step id. */
export const completePlan = (
  draft: Plan,
  template: PlanTemplate | undefined,
  input: AdaptInput,
  reasons: Map<string, string>,
  assumptions: Set<string>,
): Plan => {
  const { requirements, tools } = input
  const forbidden = requirements.constraints.some(
    (one) => one.kind === "exclude" && one.output === "chart",
  )
  const usable = forbidden ? tools.filter((tool) => !drawsChart(tool)) : tools
  const goals = listRequirements(requirements)
    .filter(({ must, kind }) => must && kind !== "exclude")
    .toSorted((left, right) => turn[left.kind] - turn[right.kind] || aggregatesFirst(left, right))
  let plan = draft
  for (const goal of goals) {
    if (!missingIds(plan, input).has(goal.id)) continue
    const trials = usable.flatMap((tool) => tryTool(tool, goal, plan, input, template) ?? [])
    const [best] = trials.toSorted((left, right) => right.score - left.score)
    if (best === undefined) continue
    plan = best.plan
    reasons.set(best.step.id, reasonFor(best.step, best.notes))
    for (const one of best.assumptions) assumptions.add(one)
  }
  const wished = chartAsWished(plan, { ...input, tools: usable }, template)
  if (wished.trial !== undefined)
    reasons.set(wished.trial.step.id, reasonFor(wished.trial.step, wished.trial.notes))
  const finished = [drawGroups, groupForCharts, chartsPerMetric, removeDisorder, removeIdle].reduce(
    (current, improve) => improve(current, input),
    wished.plan,
  )
  return {
    steps: finished.steps.map((step) => {
      const rationale = reasons.get(step.id) ?? reasonFor(step, [])
      reasons.set(step.id, rationale)
      return { ...step, rationale }
    }),
  }
}

/** Sorts aggregating analyses first. */
const aggregatesFirst = (left: TableRequirement, right: TableRequirement): number => {
  const rank = ({ kind, label }: TableRequirement) =>
    kind === "analysis" && functionsOf[label as Analysis] === undefined ? 1 : 0
  return rank(left) - rank(right)
}
