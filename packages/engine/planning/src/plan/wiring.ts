/** Connects the slots of steps to the results of earlier steps. */
import type { Tool } from "@planloom/plugin/effect"
import { SOURCE } from "./Plan.ts"
import type { Plan, Step } from "./Plan.ts"
import { dataDependencies } from "./planGraph.ts"
import { findTool, slotsOf } from "../Tool.ts"

/** The last step of a tool that matches. */
export const lastStep = (
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  wanted: (tool: Tool) => boolean,
): Step | undefined =>
  plan.steps.findLast((step) => {
    const tool = findTool(tools, step.tool)
    return tool !== undefined && wanted(tool)
  })

/**
 * Every slot filled by the last step that gives its data type, else by `source` where that fits; undefined
 * when nothing fits a slot that must be filled.
 */
export const wireByType = (
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string | undefined,
): Step["inputs"] | undefined => {
  const inputs: Record<string, string> = {}
  for (const { name, optional, type } of slotsOf(tool)) {
    const from =
      lastStep(plan, tools, ({ outputs }) => outputs[0] === type)?.id ??
      (source === undefined || source === type ? SOURCE : undefined)
    if (from === undefined && !optional) return undefined
    if (from !== undefined) inputs[name] = from
  }
  return inputs
}

export const reads = (step: Step, from: string): boolean =>
  Object.values(step.inputs).includes(from) || dataDependencies(step).includes(from)

/** The same step with every slot that reads `from` reading `to`. */
export const redirect = (step: Step, from: string, to: string): Step => ({
  ...step,
  inputs: Object.fromEntries(
    Object.entries(step.inputs).map(([slot, one]) => [slot, one === from ? to : one]),
  ),
})

/** An id for a new step of a tool: the tool's name, with a number where that is taken. */
export const freeId = (plan: Plan, tool: string): string => {
  const taken = new Set([SOURCE, ...plan.steps.map(({ id }) => id)])
  if (!taken.has(tool)) return tool
  let number = 2
  while (taken.has(`${tool}_${number}`)) number++
  return `${tool}_${number}`
}
