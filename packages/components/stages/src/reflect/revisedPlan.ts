/** The plan that the reply of a reflection asks for: by modifications, as a whole, or as new queries. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import {
  applyModifications,
  completePlan,
  freeId,
  type Modification,
  type Plan,
  type Rejected,
  type Step,
  type WrittenPlan,
} from "@planloom/planning"
import { sameJson } from "@planloom/schema"

/** The reply of the model; what it leaves out has defaults. */
export interface ReflectReply {
  readonly reasoning?: string
  readonly strategy?: string
  readonly user_message?: string
  readonly modifications?: ReadonlyArray<Modification>
  readonly plan?: WrittenPlan
  readonly new_queries?: ReadonlyArray<JsonObject>
}

export interface Revision {
  readonly plan: Plan
  readonly rejected: ReadonlyArray<Rejected>
}

/**
 * `found`: ids of the steps that have a result, which stay as they are: what was found is not lost. `queries`: the tool of
 * `new_queries`. Undefined for a reply without a change.
 */
export const revisedPlan = (
  before: Plan,
  reply: ReflectReply,
  found: ReadonlyArray<string>,
  queries: string | undefined,
): Revision | undefined => {
  const { modifications = [], new_queries: wanted, plan } = reply
  if (wanted !== undefined && queries !== undefined) {
    return { plan: withQueries(before, wanted, found, queries), rejected: [] }
  }
  if (plan !== undefined)
    return { plan: wholePlan(before, completePlan(plan), found), rejected: [] }
  if (modifications.length === 0) return undefined
  const isKept = ({ op, step }: Modification) => op !== "add" && found.includes(step)
  const made = applyModifications(
    before,
    modifications.filter((one) => !isKept(one)),
  )
  const kept = modifications
    .filter(isKept)
    .map((modification) => ({ modification, reason: "the step has found something and stays" }))
  return { plan: made.plan, rejected: [...made.rejected, ...kept] }
}

/** New queries take the place of those that found nothing. */
const withQueries = (
  before: Plan,
  wanted: ReadonlyArray<JsonObject>,
  found: ReadonlyArray<string>,
  tool: string,
): Plan => {
  const kept = before.steps.filter((step) => step.tool !== tool || found.includes(step.id))
  const added: Array<Step> = []
  for (const params of wanted) {
    const isPlanned = [...kept, ...added].some(
      (step) => step.tool === tool && sameJson(step.params, params),
    )
    if (isPlanned) continue
    const same = before.steps.find((step) => step.tool === tool && sameJson(step.params, params))
    const id =
      same?.id ??
      freeId({ steps: [...before.steps, ...added] }, `${tool.replaceAll(/\W/g, "_")}_again`)
    added.push(same ?? { id, tool, inputs: {}, params, satisfies: [] })
  }
  return { ...before, steps: [...kept, ...added] }
}

const wholePlan = (before: Plan, after: Plan, found: ReadonlyArray<string>): Plan => {
  const kept = before.steps.filter(({ id }) => found.includes(id))
  const steps: Array<Step> = [...kept]
  for (const step of after.steps) {
    const same = kept.find(({ id }) => id === step.id)
    if (same === undefined) steps.push(step)
    else if (!isSameCall(same, step))
      steps.push({ ...step, id: freeId({ steps: [...after.steps, ...steps] }, step.id) })
  }
  // The bounds are those of the workflow.
  return { ...before, steps }
}

const isSameCall = (one: Step, other: Step): boolean => sameJson(callOf(one), callOf(other))

const callOf = ({ each, inputs, params, tool }: Step): Json =>
  ({ tool, inputs, params, each: each ?? null }) as unknown as Json
