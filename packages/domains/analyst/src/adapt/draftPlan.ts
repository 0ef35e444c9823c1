/** Drafts a plan from a template: keeps or drops its steps, rewires them, fills their arguments. */
import { can, findTool, freeId, matchesPattern, SOURCE } from "@planloom/planning"
import type { Plan, PlanTemplate, Step, TemplateStep } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import type { Analysis } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { aggregates, hasRole, isPerGroup } from "../rules/ToolRoles.ts"
import { columnsAt, tableSlot } from "../rules/columnsAt.ts"
import { functionsOf, perGroup } from "../rules/serves.ts"
import type { AdaptInput } from "./AdaptInput.ts"
import { citeAll } from "./citations.ts"
import { fillParams } from "./fillParams.ts"

/** The reason for dropping a template's step; undefined to keep it. */
const dropReason = (
  step: TemplateStep,
  tool: Tool | undefined,
  requirements: ReadonlyArray<TableRequirement>,
): string | undefined => {
  if (tool === undefined) return `the tool ${step.tool} is not among the candidates`
  const excluded = requirements.find(
    ({ kind, label }) => kind === "exclude" && label === "chart" && tool.outputs.includes(label),
  )
  if (excluded !== undefined) return "the user wants no chart"
  const asked = step.satisfies.some((pattern) =>
    requirements.some((requirement) => matchesPattern(pattern, requirement)),
  )
  if (aggregates(tool) && ranksRows(requirements)) return "the rows themselves are ranked"
  if (step.optional && !asked)
    return `optional, and no requirement asks for ${step.satisfies.join(", ")}`
  return undefined
}

/** The tool for a template's step: in place of an aggregate the one that computes the rate or ratio asked for. */
const toolFor = (
  { tool: name }: TemplateStep,
  tools: ReadonlyArray<Tool>,
  { analysis }: AdaptInput["requirements"],
): Tool | undefined => {
  const named = findTool(tools, name)
  if (named === undefined || !aggregates(named)) return named
  const asked = perGroup.filter((one) => analysis.includes(one))
  return tools.find((one) => isPerGroup(one) && can(one, ...asked)) ?? named
}

/** "the heaviest cars": without groups there is nothing to aggregate. */
const ranksRows = (requirements: ReadonlyArray<TableRequirement>): boolean =>
  requirements.some(({ id }) => id === "analysis:ranking") &&
  !requirements.some(
    ({ kind, label }) =>
      kind === "group_by" ||
      kind === "time" ||
      (kind === "analysis" && perGroup.some((one) => one === label)) ||
      (kind === "analysis" && functionsOf[label as Analysis] !== undefined),
  )

/** The input of a slot after dropped steps are bypassed. */
const resolve = (from: string, dropped: ReadonlyMap<string, TemplateStep>): string => {
  let at = from
  for (let step = dropped.get(at); step !== undefined; step = dropped.get(at)) {
    const [next] = Object.values(step.inputs)
    if (next === undefined || next === at) return SOURCE
    at = next
  }
  return at
}

/** Steps that add the parts of dates that groups and conditions use. */
const partSteps = ({
  requirements,
  tools,
  profile,
}: Omit<AdaptInput, "templates">): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  const tool = tools.find((one) => hasRole(one, "time_part"))
  const slot = tool === undefined ? undefined : tableSlot(tool)
  if (tool === undefined || slot === undefined) return steps
  for (const goal of listRequirements(requirements)) {
    if (goal.kind !== "time_part") continue
    const from = steps.at(-1)?.id ?? SOURCE
    const columns = columnsAt({ steps }, from, tools, profile)
    const { params } = fillParams(tool, {}, { requirements, profile, columns, goal })
    const id = freeId({ steps }, tool.name)
    steps.push({ id, tool: tool.name, inputs: { [slot]: from }, params, satisfies: [] })
  }
  return steps
}

export const reasonFor = (step: Step, notes: ReadonlyArray<string>): string =>
  [`serves ${step.satisfies.join(", ")}`, ...notes].join("; ")

/** Fills a template's steps in its own order; adds the reasons to `reasons`, by step id. */
export const draftPlan = (
  template: PlanTemplate | undefined,
  { requirements, tools, profile }: AdaptInput,
  reasons: Map<string, string>,
  assumptions: Set<string>,
): Plan => {
  const atoms = listRequirements(requirements)
  const dropped = new Map<string, TemplateStep>()
  const notes = new Map<string, ReadonlyArray<string>>()
  const drop = (step: TemplateStep, reason: string) => {
    dropped.set(step.id, step)
    reasons.set(step.id, reason)
  }
  const parts = partSteps({ requirements, tools, profile })
  // What reads the source reads the parts of dates, too.
  const from = (id: string) => (id === SOURCE ? (parts.at(-1)?.id ?? SOURCE) : id)
  let plan = citeAll({ steps: parts }, requirements, tools)
  for (const step of template?.steps ?? []) {
    const tool = toolFor(step, tools, requirements)
    const reason = dropReason(step, tool, atoms)
    if (reason !== undefined || tool === undefined) {
      drop(step, reason ?? `there is no tool ${step.tool}`)
      continue
    }
    const inputs = Object.fromEntries(
      Object.entries(step.inputs).map(([slot, id]) => [slot, from(resolve(id, dropped))]),
    )
    const slot = tableSlot(tool)
    const columns = columnsAt(plan, slot === undefined ? SOURCE : inputs[slot], tools, profile)
    const given = tool.name === step.tool ? step.params : {}
    const filled = fillParams(tool, given, { requirements, profile, columns })
    if (filled.missing.length > 0) {
      drop(step, `nothing to put in ${filled.missing.join(", ")}`)
      continue
    }
    const made: Step = {
      id: step.id,
      tool: tool.name,
      inputs,
      params: filled.params,
      satisfies: [],
    }
    const cited = citeAll({ steps: [...plan.steps, made] }, requirements, tools)
    if (cited.steps.at(-1)?.satisfies.length === 0) {
      drop(step, "no requirement asks for it")
      continue
    }
    notes.set(step.id, filled.notes)
    for (const one of filled.assumptions) assumptions.add(one)
    plan = cited
  }
  for (const step of plan.steps) reasons.set(step.id, reasonFor(step, notes.get(step.id) ?? []))
  return plan
}
