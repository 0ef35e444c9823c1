/** A plan as a graph: which step needs which, in which order, and what can run side by side. */
import { SOURCE } from "./Plan.ts"
import type { Plan, Step } from "./Plan.ts"
import { referencesIn } from "./StepReference.ts"

/** Ids of the steps whose results a step reads, by its slots, params and `each`, without repetition and without `source`. */
export const dataDependencies = (step: Step): ReadonlyArray<string> =>
  [...new Set([...Object.values(step.inputs), ...referredSteps(step)])].filter(
    (id) => id !== SOURCE,
  )

const referredSteps = ({ each, params }: Step): ReadonlyArray<string> => {
  const named = referencesIn(params).flatMap(({ reference: { $from: from } }) =>
    typeof from === "string" && from !== each?.as ? [from] : [],
  )
  return each === undefined ? named : [...named, each.over.$from]
}

/** Ids of the steps a step waits for: those it reads and those it declares. */
export const dependencies = (step: Step): ReadonlyArray<string> => [
  ...new Set([...dataDependencies(step), ...(step.needs ?? []).filter((id) => id !== SOURCE)]),
]

export type Ordered =
  | { readonly ok: true; readonly levels: ReadonlyArray<ReadonlyArray<Step>> }
  /** `stuck`: ids of steps in a cycle, or that wait for a missing step; `levels` has the others. */
  | {
      readonly ok: false
      readonly levels: ReadonlyArray<ReadonlyArray<Step>>
      readonly stuck: ReadonlyArray<string>
    }

/** Steps in levels: each needs only earlier levels. Within a level the plan's own order is kept. */
export const parallelLevels = (plan: Plan): Ordered => {
  const levels: Array<ReadonlyArray<Step>> = []
  const done = new Set<string>()
  let rest = plan.steps
  while (rest.length > 0) {
    const ready = rest.filter((step) => dependencies(step).every((id) => done.has(id)))
    if (ready.length === 0) return { ok: false, levels, stuck: rest.map((step) => step.id) }
    levels.push(ready)
    for (const step of ready) done.add(step.id)
    rest = rest.filter((step) => !ready.includes(step))
  }
  return { ok: true, levels }
}

/** Steps in an order in which each follows its dependencies; undefined if the plan has a cycle. */
export const topologicalOrder = (plan: Plan): ReadonlyArray<Step> | undefined => {
  const ordered = parallelLevels(plan)
  return ordered.ok ? ordered.levels.flat() : undefined
}

/**
 * Every step a step's data comes from, near and far; with `dependencies` every step it waits for. Plans with
 * cycles and missing steps are allowed.
 */
export const ancestorsOf = (
  plan: Plan,
  step: Step,
  dependenciesOf: (step: Step) => ReadonlyArray<string> = dataDependencies,
): ReadonlyArray<Step> => {
  const byId = new Map(plan.steps.map((one) => [one.id, one]))
  const found = new Set<Step>()
  const visit = (one: Step): void => {
    for (const id of dependenciesOf(one)) {
      const next = byId.get(id)
      if (next !== undefined && next !== step && !found.has(next)) {
        found.add(next)
        visit(next)
      }
    }
  }
  visit(step)
  return [...found]
}

/** One dependency cycle, if the plan has one, as ids in the order of the data. */
export const findCycle = (plan: Plan): ReadonlyArray<string> | undefined => {
  const byId = new Map(plan.steps.map((one) => [one.id, one]))
  const finished = new Set<string>()
  const visit = (id: string, trail: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    if (trail.includes(id)) return trail.slice(trail.indexOf(id)).toReversed()
    const step = byId.get(id)
    if (step === undefined || finished.has(id)) return undefined
    for (const next of dependencies(step)) {
      const cycle = visit(next, [...trail, id])
      if (cycle !== undefined) return cycle
    }
    finished.add(id)
    return undefined
  }
  for (const step of plan.steps) {
    const cycle = visit(step.id, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
