/** Repairs one step of a plan: its inputs first, then its arguments. */
import type { DataRules } from "../DomainRules.ts"
import { nearest } from "./nearest.ts"
import { SOURCE } from "../plan/Plan.ts"
import type { Plan, Step } from "../plan/Plan.ts"
import { ancestorsOf, dependencies } from "../plan/planGraph.ts"
import type { Repair } from "./Repair.ts"
import { repairParams } from "./repairParams.ts"
import { replaceReferences } from "../plan/StepReference.ts"
import { findTool, plannedTool, slotsOf } from "../Tool.ts"
import type { Tool } from "@planloom/plugin/effect"

export interface RepairedStep {
  readonly step: Step
  readonly repairs: ReadonlyArray<Repair>
}

/** The last step before this one that returns the type and does not depend on it; else the source. */
const producerOf = (
  type: string,
  step: Step,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string | undefined,
): string | undefined => {
  const before = plan.steps.slice(0, plan.steps.indexOf(step))
  const producer = before.findLast(
    (one) =>
      findTool(tools, one.tool)?.outputs[0] === type &&
      !ancestorsOf(plan, one, dependencies).includes(step),
  )
  return producer?.id ?? (source === undefined || type === source ? SOURCE : undefined)
}

/** Repairs what a step reads: the names of its slots and steps, and slots that must be filled. */
export const repairInputs = (
  step: Step,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string | undefined,
): RepairedStep => {
  const tool = findTool(tools, step.tool)
  if (tool === undefined) return { step, repairs: [] }
  const ids = [SOURCE, ...plan.steps.map(({ id }) => id)]
  const slots = Object.keys(tool.inputs)
  const repairs: Array<Repair> = []
  const inputs: Record<string, string> = {}
  for (const [slot, from] of Object.entries(step.inputs)) {
    const [only] = slots
    // With one slot, the intended slot is unambiguous.
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
  for (const { name: slot, optional, type } of slotsOf(tool)) {
    if (optional || Object.hasOwn(inputs, slot)) continue
    const to = producerOf(type, step, plan, tools, source)
    if (to === undefined) continue
    const why = `${tool.name} needs a ${type}, and ${to} is the nearest`
    repairs.push({ path: `inputs.${slot}`, from: null, to, why, rule: "missing_input" })
    inputs[slot] = to
  }
  const named = repairReferences(step, ids, repairs)
  return repairs.length === 0 ? { step, repairs } : { step: { ...named, inputs }, repairs }
}

/** Corrects misspelled steps in references; what it repairs is added to `repairs`. */
const repairReferences = (step: Step, ids: ReadonlyArray<string>, repairs: Array<Repair>): Step => {
  const { each, params } = step
  const meant = (from: string, known: ReadonlyArray<string>, path: string): string => {
    const to = known.includes(from) ? from : (nearest(from, known) ?? from)
    if (to !== from)
      repairs.push({ path, from, to, why: `there is no step ${from}`, rule: "reference" })
    return to
  }
  const names = each === undefined ? ids : [...ids, each.as]
  const corrected = replaceReferences(params, (reference, at) => {
    const { $from: from } = reference
    return typeof from === "string"
      ? { ...reference, $from: meant(from, names, ["params", ...at, "$from"].join(".")) }
      : reference
  })
  return {
    ...step,
    params: corrected,
    ...(each === undefined
      ? {}
      : {
          each: {
            ...each,
            over: { ...each.over, $from: meant(each.over.$from, ids, "each.over.$from") },
          },
        }),
  }
}

/** Returns a valid step unchanged. Without the data type `source`, the workflow's data fits every slot. */
export const repairStep = (
  step: Step,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  options: { readonly data?: DataRules; readonly source?: string | undefined } = {},
): RepairedStep => {
  const tool = findTool(tools, step.tool)
  if (tool === undefined) return { step, repairs: [] }
  const wired = repairInputs(step, plan, tools, options.source)
  const rewired = { steps: plan.steps.map((one) => (one === step ? wired.step : one)) }
  const rules = options.data?.call(wired.step, rewired, tools)
  const repaired = repairParams(plannedTool(tool), wired.step.params, rules)
  const repairs = [...wired.repairs, ...repaired.repairs]
  if (repairs.length === 0) return { step, repairs }
  return { step: { ...wired.step, params: repaired.params }, repairs }
}
