/** Adds the steps that rules name to a plan. */
import type { Entity, Json, JsonObject } from "@planloom/plugin/effect"
import {
  EACH_LIMIT,
  parsePath,
  replaceReferences,
  SOURCE,
  valueOfPath,
  type Plan,
  type Step,
} from "@planloom/planning"
import { isObject, sameJson } from "@planloom/schema"
import { fittingPlan, type PlanGround } from "../plan/fittingPlan.ts"
import type { EachEntity, Missing, WrittenStep } from "./Reflection.ts"

export interface Extended {
  readonly plan: Plan
  /** Gaps for which no step was added. */
  readonly open: ReadonlyArray<Missing>
}

/** Steps that the plan has are left out, and those of a rule with which it could not be executed. */
export const withFollowUps = (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  entities: ReadonlyArray<Entity>,
  ground: PlanGround,
): Extended => {
  let extended = plan
  const open: Array<Missing> = []
  for (const one of missing) {
    const { reason, rule, then = [] } = one
    const next = then
      .filter((written) => !isPlanned(written, plan))
      .flatMap((written) => forEntities(written, entities))
      .reduce((made, step) => withStep(made, step, `${rule}: ${reason}`), extended)
    if (next === extended || "issues" in fittingPlan(next, { ...ground, before: plan }))
      open.push(one)
    else extended = next
  }
  return { plan: extended, open }
}

/** The step of a rule that has added it before, also if it has been changed since then. */
const isPlanned = ({ each, id, tool }: WrittenStep, { steps }: Plan): boolean =>
  !(each !== undefined && "entities" in each) &&
  steps.some((step) => step.id === id && step.tool === tool)

type PlainStep = Pick<Step, "id" | "tool"> & Partial<Step>

/** A step for each entity that it is for, with the values of the entity. */
const forEntities = (
  { each, ...step }: WrittenStep,
  entities: ReadonlyArray<Entity>,
): ReadonlyArray<PlainStep> => {
  if (each === undefined) return [step]
  if (!("entities" in each)) return [{ ...step, each }]
  return entities
    .filter(({ type }) => type === each.entities)
    .slice(0, each.limit ?? EACH_LIMIT)
    .map((entity) => ({ ...step, params: valuesOf(step.params ?? {}, each, entity) }))
}

const valuesOf = (params: JsonObject, { as }: EachEntity, entity: Entity): JsonObject =>
  replaceReferences(params, (reference) => {
    const path = parsePath(String(reference["path"] ?? ""))
    if (reference["$from"] !== as || path === undefined) return reference
    const found = valueOfPath(entity, path)
    return "value" in found ? found.value : reference
  })

const withStep = (plan: Plan, written: PlainStep, rationale: string): Plan => {
  const step = stepOf(written, plan.steps, rationale)
  return plan.steps.some((one) => isSameCall(one, step))
    ? plan
    : { ...plan, steps: [...plan.steps, step] }
}

const isSameCall = (one: Step, other: Step): boolean =>
  one.tool === other.tool &&
  sameJson(one.params, other.params) &&
  sameJson(one.inputs, other.inputs) &&
  sameJson(one.each?.over, other.each?.over)

/** The step with names of its own, whatever the names in the plan are. */
const stepOf = (written: PlainStep, steps: ReadonlyArray<Step>, rationale: string): Step => {
  const { each, params = {}, ...rest } = written
  const ids = steps.map(({ id }) => id)
  const items = steps.flatMap((step) => (step.each === undefined ? [] : [step.each.as]))
  const id = free(written.id, [...ids, ...items])
  const as = each === undefined ? undefined : free(each.as, [SOURCE, ...ids, id])
  const from = (name: string) =>
    ids.includes(name) ? name : (steps.find(({ tool }) => tool === name)?.id ?? name)
  const item = (name: string) => (name === each?.as ? as! : from(name))
  return {
    inputs: {},
    satisfies: [],
    rationale,
    ...rest,
    id,
    params: renamed(params, item) as JsonObject,
    ...(each === undefined
      ? {}
      : { each: { ...each, over: { ...each.over, $from: from(each.over.$from) }, as: as! } }),
  }
}

const free = (name: string, taken: ReadonlyArray<string>): string => {
  let number = 1
  const named = () => (number === 1 ? name : `${name}_${number}`)
  while (taken.includes(named())) number++
  return named()
}

/** The value with other names in its references. */
const renamed = (value: Json, nameOf: (name: string) => string): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item, nameOf))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, one]) => [
      name,
      name === "$from" && typeof one === "string" ? nameOf(one) : renamed(one, nameOf),
    ]),
  )
}
