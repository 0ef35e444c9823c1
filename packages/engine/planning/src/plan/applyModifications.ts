/** Applies modifications to a plan in order and lists those that were rejected. */
import type { JsonObject } from "@planloom/plugin/effect"
import { eachOf, stepOf } from "./Modification.ts"
import { SOURCE } from "./Plan.ts"
import type { Modification, Modified, Rejected } from "./Modification.ts"
import type { Plan, Step } from "./Plan.ts"

type Steps = ReadonlyArray<Step>

const withoutNulls = (params: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))

const withoutEmpty = (inputs: Step["inputs"]): Step["inputs"] =>
  Object.fromEntries(Object.entries(inputs).filter(([, from]) => from !== ""))

const add = (steps: Steps, modification: Modification): Steps | string => {
  const { step: id, after } = modification
  if (steps.some((step) => step.id === id)) return `there is a step ${id} already`
  const step = stepOf(modification)
  if (typeof step === "string") return step
  const at = after === undefined ? steps.length - 1 : steps.findIndex((one) => one.id === after)
  if (at < 0 && after !== undefined && after !== SOURCE) {
    return `there is no step ${after} to come after`
  }
  return steps.toSpliced(at + 1, 0, { ...step, params: withoutNulls(step.params) })
}

/** The same step without a dependency it declares. */
const withoutNeed = ({ needs, ...step }: Step, id: string): Step =>
  needs === undefined ? step : { ...step, needs: needs.filter((one) => one !== id) }

/** Steps that read the removed step's result read what it read itself, when that is one thing. */
const remove = (steps: Steps, { step: id }: Modification): Steps | string => {
  const removed = steps.find((step) => step.id === id)
  if (removed === undefined) return `there is no step ${id}`
  const origins = [...new Set(Object.values(removed.inputs))].filter((origin) => origin !== id)
  const [origin] = origins
  return steps
    .filter((step) => step !== removed)
    .map((one) => {
      const step = withoutNeed(one, id)
      if (origins.length !== 1 || !Object.values(step.inputs).includes(id)) return step
      const inputs = Object.entries(step.inputs).map(
        ([slot, from]) => [slot, from === id ? (origin as string) : from] as const,
      )
      return { ...step, inputs: Object.fromEntries(inputs) }
    })
}

const needsOf = (needs: Step["needs"]) =>
  needs === undefined || needs.length === 0 ? {} : { needs }

const modify = (steps: Steps, modification: Modification): Steps | string => {
  const { each, step: id, tool, inputs, params, needs, satisfies, rationale } = modification
  const at = steps.findIndex((step) => step.id === id)
  const step = steps[at]
  if (step === undefined) return `there is no step ${id}`
  return steps.with(at, {
    id,
    tool: tool ?? step.tool,
    inputs: withoutEmpty({ ...step.inputs, ...inputs }),
    params: withoutNulls({ ...step.params, ...params }),
    ...eachOf(each === undefined ? step.each : each),
    ...(step.fresh === undefined ? {} : { fresh: step.fresh }),
    ...needsOf(needs ?? step.needs),
    satisfies: satisfies ?? step.satisfies,
    rationale,
  })
}

const operations = { add, remove, modify }

/** Deterministic: the same plan and list give the same result. A modification that cannot be applied is rejected. */
export const applyModifications = (
  plan: Plan,
  modifications: ReadonlyArray<Modification>,
): Modified => {
  let { steps } = plan
  const applied: Array<Modification> = []
  const rejected: Array<Rejected> = []
  for (const modification of modifications) {
    const result = operations[modification.op](steps, modification)
    if (typeof result === "string") {
      rejected.push({ modification, reason: result })
    } else {
      steps = result
      applied.push(modification)
    }
  }
  return { plan: { ...plan, steps }, applied, rejected }
}
