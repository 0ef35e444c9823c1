/** Stage kind `execute`: runs a plan, every step as soon as its dependencies have results. */
import * as Effect from "effect/Effect"
import { failureClasses, StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, Repair, StageContext, ToolFailed } from "@planloom/plugin/effect"
import {
  checkValue,
  completePlan,
  mostCalls,
  nameClash,
  parallelLevels,
  repairParams,
  writtenPlanSchema,
} from "@planloom/planning"
import type { DomainRules, Plan, Step, StepCall, WrittenPlan } from "@planloom/planning"
import { asJson, text, texts, withSummary, writtenPlan } from "@planloom/stage-kit"
import { planCall, planCalls } from "../planCalls.ts"
import { runSteps, type FailedStep } from "../runSteps.ts"
import { domainName, domainOf } from "../domainOf.ts"
import { wirePlan } from "../repairPlan.ts"
import type { StepRepair } from "../repairPlan.ts"
import { repairs } from "../schemas.ts"
import { executionLine } from "../summaries.ts"

interface Input {
  readonly plan: WrittenPlan
  readonly source: Json
  readonly domain?: string
  readonly max_parallel: number
  readonly max_steps?: number
  readonly on_step_error: "fail" | "keep"
}

/** Calls the step's tool with the results of earlier steps; what is repaired in its params is noted. */
const callStep = (
  step: Step,
  { key, params: given, problem }: StepCall,
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
      params: given,
      inputs,
      key,
      ...(problem === undefined
        ? {}
        : { refusal: { class: "invalid_request", message: problem } as const }),
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
          const entry = { step: key, ...repair }
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

/** Records calls of steps that are not made. */
const refuseSteps = (
  steps: ReadonlyArray<Step>,
  message: string,
  { callTool }: StageContext,
): Effect.Effect<ReadonlyArray<FailedStep>> => {
  const refusal = { class: "invalid_request", message } as const
  return Effect.forEach(steps, ({ id: step, params, tool }) =>
    Effect.as(Effect.ignore(callTool({ tool, params, key: step, refusal })), {
      step,
      tool,
      ...refusal,
    }),
  )
}

const unordered = "not run, because it waits for a step that is not there or waits for it"

/** The reason against running any step of the plan. */
const refusalOf = ({ max_steps: limit }: Input, made: Plan): string | undefined => {
  const most = Math.min(limit ?? Infinity, made.max_steps ?? Infinity)
  const calls = mostCalls(made)
  return calls > most
    ? `the plan may make ${calls} calls, and at most ${most} are allowed`
    : nameClash(made)
}

const executePlan = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const domain = domainOf(context, input.domain)
  if (domain instanceof StageFailed) return yield* domain
  const keeps = input.on_step_error === "keep"
  const made = completePlan(input.plan)
  const refusal = refusalOf(input, made)
  if (refusal !== undefined) {
    return keeps
      ? outputOf({
          context,
          steps: made.steps,
          failed: yield* refuseSteps(made.steps, `not run, because ${refusal}`, context),
        })
      : yield* new StageFailed({ class: "invalid_request", message: refusal })
  }
  // Every step is wired before ordering, so that the graph is the one that runs.
  const wired = wirePlan(made, context.tools, domain)
  const ordered = parallelLevels(wired.plan)
  if (!ordered.ok && !keeps) {
    return yield* new StageFailed({
      class: "tool_error",
      message: `the plan cannot be executed: ${ordered.stuck.join(", ")} wait for steps that are not there or wait for them`,
    })
  }
  yield* Effect.forEach(wired.repairs, (repair) => context.note("repair", asJson(repair)), {
    discard: true,
  })
  const repaired: Array<StepRepair> = [...wired.repairs]
  const steps = ordered.levels.flat()
  const { failedSteps, results } = yield* runSteps({
    steps,
    source: input.source,
    maxParallel: input.max_parallel,
    keepGoing: keeps,
    call: (step, call, inputs) => callStep(step, call, inputs, domain, context, repaired),
    progress: context.progress,
  })
  const stuck = ordered.ok
    ? []
    : yield* refuseSteps(
        wired.plan.steps.filter(({ id }) => ordered.stuck.includes(id)),
        unordered,
        context,
      )
  return outputOf({
    context,
    steps: wired.plan.steps,
    order: steps,
    results,
    repairs: repaired,
    failed: [...failedSteps, ...stuck],
  })
})

const outputOf = ({
  context,
  failed,
  order: ordered = [],
  repairs: made = [],
  results = new Map<string, Json>(),
  steps,
}: {
  readonly context: StageContext
  readonly steps: ReadonlyArray<Step>
  readonly order?: ReadonlyArray<Step>
  readonly results?: ReadonlyMap<string, Json>
  readonly repairs?: ReadonlyArray<StepRepair>
  readonly failed: ReadonlyArray<FailedStep>
}): Json => {
  const order = ordered.map(({ id }) => id).filter((id) => results.has(id))
  return {
    steps: Object.fromEntries(order.map((id) => [id, results.get(id) ?? null])),
    order,
    calls: planCalls(steps, context),
    repairs: made.map(asJson),
    failed: failed.map(asJson),
    last: results.get(order.at(-1) ?? "") ?? null,
  }
}

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

/** A plan that is written out. */
const isPlan = (value: unknown): value is WrittenPlan =>
  checkValue(writtenPlanSchema, value as Json | undefined).length === 0

export const execute = stageKind<Input>({
  id: "execute",
  summary: "Runs a plan: every step as soon as the data it needs is there.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["plan"],
    properties: {
      plan: writtenPlan,
      source: { default: null, description: "the data steps refer to as source" },
      domain: domainName,
      max_parallel: { type: "integer", minimum: 1, maximum: 64, default: 4 },
      max_steps: {
        type: "integer",
        minimum: 1,
        description:
          "the most calls that the plan may make; a step with `each` counts as many times as its limit",
      },
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
    required: ["steps", "order", "calls", "repairs", "failed", "last"],
    properties: {
      steps: { type: "object", additionalProperties: true },
      order: texts,
      calls: { type: "array", items: planCall },
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
  asks: ({ with: { max_steps: limit, plan: made } }) => ({
    calls: Math.min(
      typeof limit === "number" ? limit : Infinity,
      isPlan(made) ? mostCalls(made) : Infinity,
    ),
  }),
  run: withSummary(executePlan, summaryOf),
})
