/** Gaps in the results of a plan, by the rules of the stage. */
import * as Effect from "effect/Effect"
import { StageFailed } from "@planloom/plugin/effect"
import type { Entity, Json, JsonObject, StageContext } from "@planloom/plugin/effect"
import { completePlan, coverage, uncoveredIds } from "@planloom/planning"
import { planningBasisOf } from "../domainOf.ts"
import { failureLine } from "./callLines.ts"
import { isEmptyResult } from "./isEmptyResult.ts"
import type { ReflectInput } from "./ReflectInput.ts"
import type { BuiltInRule, Missing, PlanResults, Rule } from "./Reflection.ts"
import { unusedNames } from "./wishes/unusedNames.ts"
import { isReplaced } from "./isReplaced.ts"
import { unmetWishes } from "./wishes/wishes.ts"

type Check = (input: ReflectInput, context: StageContext) => ReadonlyArray<Missing> | StageFailed

const failedCalls: Check = ({ request, results: { calls }, wishes }, { tools }) =>
  calls.flatMap((call) =>
    call.ok || isReplaced(call, calls, wishes, request, tools)
      ? []
      : [{ rule: "failed_calls", reason: failureLine(call), step: call.step }],
  )

const emptyResults: Check = ({ plan, results }) =>
  plan.steps.flatMap(({ id, tool }) =>
    isEmptyStep(results, id)
      ? [{ rule: "empty_results", reason: `${tool} found nothing`, step: id }]
      : [],
  )

/** Ids of the steps that found nothing. */
export const emptySteps = (missing: ReadonlyArray<Missing>): ReadonlyArray<string> =>
  missing.flatMap(({ rule, step }) =>
    rule === "empty_results" && step !== undefined ? [step] : [],
  )

export const isEmptyStep = ({ steps }: PlanResults, id: string): boolean =>
  Object.hasOwn(steps, id) && isEmptyResult(steps[id]!)

const unmet: Check = ({ request, results, wishes }) =>
  unmetWishes(request, wishes, results.calls).map((wish) => ({
    rule: "unmet_wishes",
    reason: `the request asks for ${wish.replaceAll("_", " ")}, and no call has found it`,
  }))

/** Requirements that no step with a result serves. */
const unserved: Check = (input, context) => {
  const { domain, plan, requirements, results } = input
  if (requirements === undefined) return []
  const ground = planningBasisOf(context, {
    requirements,
    ...(domain === undefined ? {} : { domain }),
  })
  if (ground instanceof StageFailed) return ground
  const whole = completePlan(plan)
  const served = whole.steps.filter(
    ({ id }) => Object.hasOwn(results.steps, id) && !isEmptyStep(results, id),
  )
  return uncoveredIds(coverage({ ...whole, steps: served }, ground.rules, context.tools)).map(
    (id) => ({ rule: "unserved_requirements", reason: `nothing that was found serves ${id}` }),
  )
}

const unused: Check = ({ request, results: { calls } }, { tools }) =>
  unusedNames(request, calls, tools).map((name) => ({
    rule: "unused_names",
    reason: `the request names ${name}, and no call has it`,
  }))

const checks: { readonly [rule in BuiltInRule]: Check } = {
  failed_calls: failedCalls,
  empty_results: emptyResults,
  unmet_wishes: unmet,
  unserved_requirements: unserved,
  unused_names: unused,
}

/** Values that the condition of a rule reads. */
const variablesOf = (input: ReflectInput): JsonObject => {
  const { plan, request, requirements, results, round, wishes } = input
  const { calls } = results
  return {
    request,
    requirements: requirements ?? [],
    plan: plan as unknown as Json,
    calls: calls as unknown as Json,
    results: results.steps,
    called: [...new Set(calls.flatMap(({ ok, tool }) => (ok ? [tool] : [])))],
    entities: entitiesOf(input),
    wishes: unmetWishes(request, wishes, calls),
    round,
  }
}

/** Entities that successful calls found, each once. */
export const entitiesOf = ({
  results: { calls },
}: Pick<ReflectInput, "results">): ReadonlyArray<Entity> => {
  const found = calls.flatMap(({ entities, ok }) => (ok ? (entities ?? []) : []))
  return [...new Map(found.map((one) => [JSON.stringify([one.type, one.id]), one])).values()]
}

/** In the order of the rules. */
export const missingIn = Effect.fnUntraced(function* (input: ReflectInput, context: StageContext) {
  const found: Array<Missing> = []
  const variables = variablesOf(input)
  for (const [at, rule] of input.rules.entries()) {
    if (typeof rule === "string") {
      const missing = checks[rule](input, context)
      if (missing instanceof StageFailed) return yield* missing
      found.push(...missing)
    } else if (yield* context.holds(`rules.${at}.when`, variables)) {
      found.push(missingBy(rule))
    }
  }
  return found
})

const missingBy = ({ id, reason, then: steps }: Rule): Missing => ({
  rule: id,
  reason,
  // oxlint-disable-next-line unicorn/no-thenable -- the key of the contract
  ...(steps === undefined ? {} : { then: steps }),
})
