/** Stage kind `execute`: runs a plan, every step as soon as its dependencies have results. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind, ToolFailed } from "@planloom/plugin/effect"
import type { Json, JsonObject, StageContext } from "@planloom/plugin/effect"
import { parallelLevels, repairParams } from "@planloom/planning"
import type { DomainRules, Plan, Step } from "@planloom/planning"
import { asJson, plan, text, texts, withSummary } from "@planloom/stage-kit"
import { runSteps } from "../runSteps.ts"
import { domainName, domainOf } from "../domainOf.ts"
import { repairPlan } from "../repairPlan.ts"
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

/** Calls the step's tool with the results of earlier steps. */
const callStep = Effect.fnUntraced(function* (
  step: Step,
  inputs: JsonObject,
  domain: DomainRules,
  context: StageContext,
  made: Array<StepRepair>,
) {
  const tool = context.tools.find(({ name }) => name === step.tool)
  if (tool === undefined) {
    return yield* new ToolFailed({
      tool: step.tool,
      class: "invalid_request",
      message: `there is no tool ${step.tool}`,
    })
  }
  const repaired = repairParams(tool, step.params, domain.callRules?.(inputs))
  for (const repair of repaired.repairs) {
    const entry = { step: step.id, ...repair }
    made.push(entry)
    yield* context.note("repair", asJson(entry))
  }
  const [mismatch] = repaired.mismatches
  if (mismatch !== undefined) {
    return yield* new ToolFailed({
      tool: step.tool,
      class: "tool_error",
      message: `${mismatch.path.join(".") || "the arguments"} ${mismatch.message}`,
      detail: { mismatches: repaired.mismatches.map(asJson) },
    })
  }
  return yield* context.callTool({
    tool: step.tool,
    params: repaired.params,
    inputs,
    key: step.id,
  })
})

const executePlan = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const domain = domainOf(context, input.domain)
  if (domain instanceof StageFailed) return yield* domain
  // Every step is wired before ordering, so that the graph is the one that runs.
  const wired = repairPlan(input.plan, context.tools, domain, undefined)
  const ordered = parallelLevels(wired.plan)
  if (!ordered.ok) {
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
    keepGoing: input.on_step_error === "keep",
    call: (step, inputs) => callStep(step, inputs, domain, context, made),
    progress: context.progress,
  })
  const [first] = failedSteps
  if (first !== undefined && results.size === 0) {
    return yield* new StageFailed({
      class: "tool_error",
      message: `step ${first.step} (${first.tool}): ${first.message}`,
      detail: { failed: failedSteps.map(asJson) },
    })
  }
  const order = steps.map(({ id }) => id).filter((id) => results.has(id))
  const output: Json = {
    steps: Object.fromEntries(order.map((id) => [id, results.get(id) ?? null])),
    order,
    repairs: made.map(asJson),
    failed: failedSteps.map(asJson),
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
    required: ["plan", "source"],
    properties: {
      plan,
      source: { description: "the data steps refer to as source" },
      domain: domainName,
      max_parallel: { type: "integer", minimum: 1, maximum: 64, default: 4 },
      on_step_error: {
        type: "string",
        enum: ["fail", "keep"],
        default: "fail",
        description:
          "keep: continue without the step and those that depend on it, and list them under failed",
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
          required: ["step", "tool", "message"],
          properties: { step: text, tool: text, message: text },
        },
      },
      last: {},
    },
  },
  asks: () => ({ calls: Infinity }),
  run: withSummary(executePlan, summaryOf),
})
