/** Stage kind `execute`: runs a plan, every step as soon as its dependencies have results. */
import * as Effect from "effect/Effect"
import { failureClasses, StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, Repair, StageContext, ToolFailed } from "@planloom/plugin/effect"
import { parallelLevels, repairParams } from "@planloom/planning"
import type { DomainRules, Plan, Step } from "@planloom/planning"
import { asJson, plan, text, texts, withSummary } from "@planloom/stage-kit"
import { runSteps, type FailedStep } from "../runSteps.ts"
import { domainName, domainOf } from "../domainOf.ts"
import { wirePlan } from "../repairPlan.ts"
import type { StepRepair } from "../repairPlan.ts"
import { repairs } from "../schemas.ts"
import { executionLine } from "../summaries.ts"

interface Input {
  readonly plan: Plan
  readonly source: Json
  readonly domain?: string
  readonly max_parallel: number
  readonly on_step_error: "fail" | "keep"
}

/** Calls the step's tool with the results of earlier steps; what is repaired in its params is noted. */
const callStep = (
  step: Step,
  inputs: JsonObject,
  domain: DomainRules,
  context: StageContext,
  made: Array<StepRepair>,
): Effect.Effect<Json, ToolFailed> =>
  Effect.suspend(() => {
    const rules = domain.callRules?.(inputs)
    let done: ReadonlyArray<Repair> = []
    const call = context.callTool({
      tool: step.tool,
      params: step.params,
      inputs,
      key: step.id,
      reuse: step.fresh === true ? "never" : "run",
      repair: (tool, params) => {
        const repaired = repairParams(tool, params, rules)
        done = repaired.repairs
        return repaired
      },
    })
    const note = Effect.suspend(() =>
      Effect.forEach(
        done,
        (repair) => {
          const entry = { step: step.id, ...repair }
          made.push(entry)
          return context.note("repair", asJson(entry))
        },
        { discard: true },
      ),
    )
    return Effect.matchEffect(call, {
      onFailure: (failure) => Effect.andThen(note, Effect.fail(failure)),
      onSuccess: (result) => Effect.as(note, result),
    })
  })

/** Steps that wait for each other or for a missing one: recorded as refused calls. */
const stuckSteps = (
  { steps }: Plan,
  stuck: ReadonlyArray<string>,
  context: StageContext,
): Effect.Effect<ReadonlyArray<FailedStep>> =>
  Effect.forEach(
    steps.filter(({ id }) => stuck.includes(id)),
    ({ id: step, params, tool }) =>
      Effect.as(Effect.ignore(context.callTool({ tool, params, key: step, refusal: unordered })), {
        step,
        tool,
        ...unordered,
      }),
  )

const unordered = {
  class: "invalid_request",
  message: "not run, because it waits for a step that is not there or waits for it",
} as const

const executePlan = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const domain = domainOf(context, input.domain)
  if (domain instanceof StageFailed) return yield* domain
  // Every step is wired before ordering, so that the graph is the one that runs.
  const wired = wirePlan(input.plan, context.tools, domain)
  const ordered = parallelLevels(wired.plan)
  const keeps = input.on_step_error === "keep"
  if (!ordered.ok && !keeps) {
    return yield* new StageFailed({
      class: "tool_error",
      message: `the plan cannot be executed: ${ordered.stuck.join(", ")} wait for steps that are not there or wait for them`,
    })
  }
  yield* Effect.forEach(wired.repairs, (repair) => context.note("repair", asJson(repair)), {
    discard: true,
  })
  const made: Array<StepRepair> = [...wired.repairs]
  const steps = ordered.levels.flat()
  const { failedSteps, results } = yield* runSteps({
    steps,
    source: input.source,
    maxParallel: input.max_parallel,
    keepGoing: keeps,
    call: (step, inputs) => callStep(step, inputs, domain, context, made),
    progress: context.progress,
  })
  const stuck = ordered.ok ? [] : yield* stuckSteps(wired.plan, ordered.stuck, context)
  const order = steps.map(({ id }) => id).filter((id) => results.has(id))
  const output: Json = {
    steps: Object.fromEntries(order.map((id) => [id, results.get(id) ?? null])),
    order,
    repairs: made.map(asJson),
    failed: [...failedSteps, ...stuck].map(asJson),
    last: results.get(order.at(-1) ?? "") ?? null,
  }
  return output
})

const summaryOf = (output: Json): string => {
  const {
    failed,
    order,
    repairs: done,
  } = output as {
    readonly [part in "order" | "repairs" | "failed"]: ReadonlyArray<Json>
  }
  return executionLine(order.length, done.length, failed.length)
}

export const execute = stageKind<Input>({
  id: "execute",
  summary: "Runs a plan: every step as soon as the data it needs is there.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["plan"],
    properties: {
      plan,
      source: { default: null, description: "the data steps refer to as source" },
      domain: domainName,
      max_parallel: { type: "integer", minimum: 1, maximum: 64, default: 4 },
      on_step_error: {
        type: "string",
        enum: ["fail", "keep"],
        default: "fail",
        description:
          "keep: continue without the step and those that depend on it, and list them under failed; the stage succeeds also if no step does",
      },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["steps", "order", "repairs", "failed", "last"],
    properties: {
      steps: { type: "object", additionalProperties: true },
      order: texts,
      repairs,
      failed: {
        type: "array",
        items: {
          type: "object",
          required: ["step", "tool", "class", "message"],
          properties: {
            step: text,
            tool: text,
            class: { enum: Object.keys(failureClasses) },
            message: text,
          },
        },
      },
      last: {},
    },
  },
  reuses: () => true,
  asks: () => ({ calls: Infinity }),
  run: withSummary(executePlan, summaryOf),
})
