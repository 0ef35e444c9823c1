/** The calls of a step, once the results that it refers to are known: one, or one for each item of a list. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { EACH_LIMIT, SOURCE, type Plan, type Step } from "./Plan.ts"
import { formProblem, parsePath, replaceReferences, valueOfPath } from "./StepReference.ts"

export interface StepCall {
  /** Unique in the plan. */
  readonly key: string
  readonly params: JsonObject
  /** The reason why it cannot be made. */
  readonly problem?: string
}

/** `results` are those of the steps that it reads, by id; `source` is among them. */
export const stepCalls = (
  { each, id, params }: Step,
  results: ReadonlyMap<string, Json>,
): ReadonlyArray<StepCall> => {
  if (each === undefined) return [callOf(id, params, results)]
  const list = valueOf({ ...each.over }, results)
  if ("problem" in list) return [{ key: id, params, problem: `each.over: ${list.problem}` }]
  if (!Array.isArray(list.value)) {
    return [{ key: id, params, problem: "each.over: what it refers to is no list" }]
  }
  const items = (list.value as ReadonlyArray<Json>).slice(0, each.limit ?? EACH_LIMIT)
  return items.map((item, index) =>
    callOf(itemKey(id, index), params, new Map([...results, [each.as, item]])),
  )
}

/** The name of the call for an item. */
const itemKey = (id: string, index: number): string => `${id}[${index}]`

/** The reason why names in the plan are ambiguous; undefined if each call and each item has one of its own. */
export const nameClash = ({ steps }: Plan): string | undefined => {
  const ids = steps.map(({ id }) => id)
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at)
  if (repeated !== undefined) return `two steps are called ${repeated}`
  const item = ids.find((id) => {
    const [, list] = /^(.*)\[\d+\]$/s.exec(id) ?? []
    return steps.some((step) => step.each !== undefined && step.id === list)
  })
  const taken = steps.find(({ each }) => each !== undefined && [SOURCE, ...ids].includes(each.as))
  if (taken !== undefined) return `items of ${taken.id} are called ${taken.each!.as}, as a step is`
  return item === undefined ? undefined : `the step ${item} is called as an item of another one is`
}

const callOf = (key: string, params: JsonObject, results: ReadonlyMap<string, Json>): StepCall => {
  const problems: Array<string> = []
  const resolved = replaceReferences(params, (reference, at) => {
    const found = valueOf(reference, results)
    if ("value" in found) return found.value
    problems.push(`${["params", ...at].join(".")}: ${found.problem}`)
    return null
  })
  const [problem] = problems
  return problem === undefined ? { key, params: resolved } : { key, params, problem }
}

const valueOf = (
  reference: JsonObject,
  results: ReadonlyMap<string, Json>,
): { readonly value: Json } | { readonly problem: string } => {
  const problem = formProblem(reference)
  if (problem !== undefined) return { problem }
  const { $from, path = "" } = reference
  const from = $from as string
  const result = results.get(from)
  if (result === undefined) return { problem: `there is no result of ${from}` }
  const found = valueOfPath(result, parsePath(path as string)!)
  return "missing" in found ? { problem: `of ${from}, ${found.missing}` } : found
}
