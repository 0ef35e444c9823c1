/** Mends one step of a plan: its inputs first, then its arguments. */
import { columnsOf } from "./columnsAt.ts"
import type { DataProfile } from "@planloom/tables"
import { nearest } from "./nearest.ts"
import { SOURCE } from "./Plan.ts"
import type { Plan, Step } from "./Plan.ts"
import { ancestorsOf } from "./planGraph.ts"
import type { Repair } from "./Repair.ts"
import { repairParams } from "./repairParams.ts"
import { findTool } from "./Tool.ts"
import type { Tool } from "./Tool.ts"

export interface RepairedStep {
  readonly step: Step
  readonly repairs: ReadonlyArray<Repair>
}

/** The last step before this one that gives the type and does not wait for it; else the source. */
const producerOf = (
  type: string,
  step: Step,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string,
): string | undefined => {
  const before = plan.steps.slice(0, plan.steps.indexOf(step))
  const producer = before.findLast(
    (one) =>
      findTool(tools, one.tool)?.outputs[0] === type && !ancestorsOf(plan, one).includes(step),
  )
  return producer?.id ?? (type === source ? SOURCE : undefined)
}

const repairInputs = (
  step: Step,
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string,
): RepairedStep => {
  const ids = [SOURCE, ...plan.steps.map(({ id }) => id)]
  const slots = Object.keys(tool.inputs)
  const repairs: Array<Repair> = []
  const inputs: Record<string, string> = {}
  for (const [slot, from] of Object.entries(step.inputs)) {
    const [only] = slots
    // A tool with one slot leaves no doubt which was meant.
    const meant = slots.includes(slot)
      ? slot
      : (nearest(slot, slots) ?? (slots.length === 1 ? only : undefined))
    if (meant === undefined || (meant !== slot && Object.hasOwn(step.inputs, meant))) {
      inputs[slot] = from
      continue
    }
    if (meant !== slot) {
      const why = `${tool.name} takes no ${slot}`
      repairs.push({ path: `inputs.${slot}`, from: slot, to: meant, why, rule: "input_name" })
    }
    const target = ids.includes(from) ? from : (nearest(from, ids) ?? from)
    if (target !== from) {
      const why = `there is no step ${from}`
      repairs.push({ path: `inputs.${meant}`, from, to: target, why, rule: "reference" })
    }
    inputs[meant] = target
  }
  for (const [slot, type] of Object.entries(tool.inputs)) {
    if (Object.hasOwn(inputs, slot)) continue
    const to = producerOf(type, step, plan, tools, source)
    if (to === undefined) continue
    const why = `${tool.name} needs a ${type}, and ${to} is the nearest`
    repairs.push({ path: `inputs.${slot}`, from: null, to, why, rule: "missing_input" })
    inputs[slot] = to
  }
  return repairs.length === 0 ? { step, repairs } : { step: { ...step, inputs }, repairs }
}

/** A step without a fault comes back as it is. `source` is the data type of the workflow's data. */
export const repairStep = (
  step: Step,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  options: { readonly profile?: DataProfile; readonly source?: string } = {},
): RepairedStep => {
  const tool = findTool(tools, step.tool)
  if (tool === undefined) return { step, repairs: [] }
  const wired = repairInputs(step, tool, plan, tools, options.source ?? "table")
  const rewired = { steps: plan.steps.map((one) => (one === step ? wired.step : one)) }
  const columns =
    options.profile === undefined
      ? undefined
      : columnsOf(rewired, wired.step, tools, options.profile)
  const closed = columns === undefined || columns.open ? undefined : columns.names
  const mended = repairParams(tool, wired.step.params, closed)
  const repairs = [...wired.repairs, ...mended.repairs]
  if (repairs.length === 0) return { step, repairs }
  return { step: { ...wired.step, params: mended.params }, repairs }
}
