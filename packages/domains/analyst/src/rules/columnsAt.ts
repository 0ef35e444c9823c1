/** Infers the columns of a table at a step of the plan from the roles of the tools. */
import type { DataProfile } from "@planloom/tables"
import { can, checkValue, findTool, propertiesOf, slotsOf, SOURCE } from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import { aggregates, isPerGroup, namesIn, roleOf } from "./ToolRoles.ts"

export interface Columns {
  readonly names: ReadonlyArray<string>
  /** Whether an earlier tool may add undeclared columns. */
  readonly open: boolean
}

/** The table slot of a tool; its first slot if none has that type. */
export const tableSlot = (tool: Tool): string | undefined =>
  slotsOf(tool).find(({ type }) => type === "table")?.name

const tableInput = (tool: Tool, step: Step): string | undefined => {
  const slot = tableSlot(tool)
  return slot === undefined ? undefined : step.inputs[slot]
}

const known = (tool: Tool, name: string): boolean =>
  propertiesOf(tool).some(([one, schema]) => one === name && roleOf(one, schema) !== undefined)

/** The columns of the table that `from` (a step's id, or `source`) returns. */
export const columnsAt = (
  plan: Plan,
  from: string | undefined,
  tools: ReadonlyArray<Tool>,
  profile: DataProfile,
): Columns => {
  const walk = (id: string | undefined, seen: ReadonlySet<string>): Columns => {
    if (id === SOURCE) return { names: profile.columns.map(({ name }) => name), open: false }
    const step = plan.steps.find((one) => one.id === id)
    const tool = step === undefined ? undefined : findTool(tools, step.tool)
    if (step === undefined || tool === undefined || seen.has(step.id)) {
      return { names: [], open: true }
    }
    if (aggregates(tool)) {
      const keys = namesIn(tool, step.params, ["group_by", "time_column"])
      const metrics = namesIn(tool, step.params, ["metrics"])
      // An argument without a role may add measures of its own.
      const more = Object.keys(step.params).some((name) => !known(tool, name))
      // A call that cannot be made promises no columns: its readers are not reported.
      const above = walk(tableInput(tool, step), new Set([...seen, step.id]))
      const sound =
        (above.open || [...keys, ...metrics].every((name) => above.names.includes(name))) &&
        checkValue(tool.params, step.params).length === 0
      const open = more || !sound
      const own = isPerGroup(tool) ? [tool.name] : metrics
      return { names: [...keys, ...(own.length === 0 ? ["count"] : own)], open }
    }
    const above = walk(tableInput(tool, step), new Set([...seen, step.id]))
    // Selecting rows keeps the columns.
    const same = tool.outputs[0] === "table" && can(tool, "filter", "top_n", "having")
    const added = namesIn(tool, step.params, ["result"])
    const open = above.open || (!same && added.length === 0)
    return { names: [...above.names, ...added], open }
  }
  return walk(from, new Set())
}

/** The columns a step's own table has. */
export const columnsOf = (
  plan: Plan,
  step: Step,
  tools: ReadonlyArray<Tool>,
  profile: DataProfile,
): Columns => {
  const tool = findTool(tools, step.tool)
  const from = tool === undefined ? undefined : tableInput(tool, step)
  return columnsAt(plan, from, tools, profile)
}
