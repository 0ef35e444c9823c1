/** Connects steps over tables: to prepared rows, to the groups of an aggregate, or to the limited groups. */
import {
  ancestorsOf,
  can,
  findTool,
  lastStep,
  reads,
  redirect,
  slotsOf,
  SOURCE,
} from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import type { Requirements } from "../requirements/Requirements.ts"
import { aggregates, drawsChart, hasRole } from "../rules/ToolRoles.ts"
import { tableSlot } from "../rules/columnsAt.ts"
import { specialtiesOf } from "../rules/serves.ts"

/** Cleans or selects rows, before all other steps. */
const prepares = (tool: Tool): boolean =>
  tool.outputs[0] === "table" && can(tool, "filter", "parse_datetime", "datetime")

/** Limits the number of groups. */
const limits = (tool: Tool): boolean =>
  tool.outputs[0] === "table" &&
  (hasRole(tool, "limit") || hasRole(tool, "having")) &&
  !aggregates(tool) &&
  !prepares(tool)

/** Needs raw rows: single values, not aggregates. */
const wantsRows = (tool: Tool): boolean =>
  prepares(tool) ||
  aggregates(tool) ||
  can(tool, "distribution", "histogram", "correlation", "statistics", "scatter") ||
  (specialtiesOf(tool).length === 0 && !drawsChart(tool) && !limits(tool) && can(tool, "summary"))

/** Id of the step whose table a new step reads; `source` without such a step. */
export const tableFor = (
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  requirements: Requirements,
): string => {
  const rows = lastStep(plan, tools, prepares)?.id ?? SOURCE
  if (wantsRows(tool)) return rows
  const grouped = lastStep(plan, tools, aggregates)
  const special = specialtiesOf(tool).length > 0
  const timed = requirements.time.column !== "" || requirements.time.grain !== "unknown"
  // A share is of all groups, before some of them are dropped.
  if (specialtiesOf(tool).some((one) => one === "share" || one === "change"))
    return grouped?.id ?? rows
  // An anomaly or a forecast is of a series when time is asked for, else of the rows.
  if (special) return timed ? (grouped?.id ?? rows) : rows
  // A ranking is of the groups that are kept.
  const limited = lastStep(plan, tools, (one) =>
    limits(tool) ? hasRole(one, "having") && one !== tool : limits(one),
  )
  return limited?.id ?? grouped?.id ?? rows
}

/** Fills every slot; undefined if a slot has no input of its type. */
export const inputsFor = (
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  requirements: Requirements,
): { readonly [slot: string]: string } | undefined => {
  const main = tableSlot(tool)
  const inputs: Record<string, string> = {}
  for (const { name, optional, type } of slotsOf(tool)) {
    const from =
      name === main
        ? tableFor(tool, plan, tools, requirements)
        : lastStep(plan, tools, (one) => one.outputs[0] === type)?.id
    if (from === undefined && !optional) return undefined
    if (from !== undefined) inputs[name] = from
  }
  return inputs
}

/**
 * Adds a step after what it reads. A preparing step comes between its rows and all steps that read them,
 * a limiting one between the groups and the charts of them.
 */
export const insertStep = (
  plan: Plan,
  step: Step,
  tool: Tool,
  tools: ReadonlyArray<Tool>,
): Plan => {
  const slot = tableSlot(tool)
  const from = slot === undefined ? undefined : step.inputs[slot]
  const above = new Set(ancestorsOf({ steps: [...plan.steps, step] }, step).map(({ id }) => id))
  const moves = (one: Step): boolean => {
    const by = findTool(tools, one.tool)
    if (from === undefined || by === undefined || above.has(one.id)) return false
    if (!reads(one, from)) return false
    if (prepares(tool)) return true
    return limits(tool) && drawsChart(by) && specialtiesOf(by).length === 0
  }
  const at = plan.steps.findLastIndex(({ id }) => above.has(id))
  const moved = plan.steps.map((one) => (moves(one) ? redirect(one, from as string, step.id) : one))
  // A limiting or preparing step is listed before its readers; others come last.
  const place = prepares(tool) || limits(tool) ? at + 1 : moved.length
  return { steps: moved.toSpliced(place, 0, step) }
}

/** Removes a step and rewires its readers to its input. */
export const removeStep = (plan: Plan, step: Step, tools: ReadonlyArray<Tool>): Plan => {
  const tool = findTool(tools, step.tool)
  const slot = tool === undefined ? undefined : tableSlot(tool)
  const origin = (slot === undefined ? undefined : step.inputs[slot]) ?? SOURCE
  return {
    steps: plan.steps
      .filter((one) => one !== step)
      .map((one) => (reads(one, step.id) ? redirect(one, step.id, origin) : one)),
  }
}
