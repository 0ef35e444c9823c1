/** Runs a plan: every step as soon as the data it needs is there. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind, ToolFailed } from "@planloom/plugin"
import type { Json, JsonObject, StageContext } from "@planloom/plugin"
import { parallelLevels, repairParams, repairStep } from "@planloom/planning"
import type { Plan, Repair, Step } from "@planloom/planning"
import { asJson, plan, text, texts, withSummary } from "@planloom/stage-kit"
import { runSteps } from "../runSteps.ts"
import { repairs } from "../schemas.ts"
import { executionLine } from "../summaries.ts"

interface Input {
  readonly plan: Plan
  readonly source: Json
  readonly max_parallel: number
  readonly on_step_error: "fail" | "keep"
}

type StepRepair = Repair & { readonly step: string }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The columns of the tables a step takes, when its data says which it has. */
const columnsIn = (inputs: JsonObject): ReadonlyArray<string> | undefined => {
  const named = Object.values(inputs).flatMap((value) =>
    isObject(value) && Array.isArray(value.columns) ? value.columns : [],
  )
  const names = named.flatMap((column: Json) =>
    isObject(column) && typeof column.name === "string" ? [column.name] : [],
  )
  return names.length === 0 ? undefined : names
}

/** Wires every step, so that the graph is what will run; the repairs are told. */
const wire = (made: Plan, context: StageContext) => {
  const wired = made.steps.map((step) => repairStep(step, made, context.tools))
  return {
    steps: wired.map(({ step }) => step),
    repairs: wired.flatMap(({ step, repairs: done }): ReadonlyArray<StepRepair> =>
      done.map((repair) => ({ step: step.id, ...repair })),
    ),
  }
}

/** Calls the step's tool with what the earlier steps gave. */
const callStep = Effect.fnUntraced(function* (
  step: Step,
  inputs: JsonObject,
  context: StageContext,
  told: Array<StepRepair>,
) {
  const tool = context.tools.find(({ name }) => name === step.tool)
  if (tool === undefined) {
    return yield* new ToolFailed({
      tool: step.tool,
      class: "invalid_request",
      message: "there is no such tool",
    })
  }
  const mended = repairParams(tool, step.params, columnsIn(inputs))
  for (const repair of mended.repairs) {
    const entry = { step: step.id, ...repair }
    told.push(entry)
    yield* context.note("repair", asJson(entry))
  }
  const [fault] = mended.faults
  if (fault !== undefined) {
    return yield* new ToolFailed({
      tool: step.tool,
      class: "tool_error",
      message: `${fault.path.join(".") || "the arguments"} ${fault.message}`,
      detail: { faults: mended.faults.map(asJson) },
    })
  }
  return yield* context.callTool({
    tool: step.tool,
    params: mended.params,
    inputs,
    key: step.id,
  })
})

const work = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const wired = wire(input.plan, context)
  const ordered = parallelLevels({ steps: wired.steps })
  if (!ordered.ok) {
    return yield* new StageFailed({
      class: "tool_error",
      message: `the plan cannot be executed: ${ordered.stuck.join(", ")} wait for steps that never come`,
    })
  }
  yield* Effect.forEach(wired.repairs, (repair) => context.note("repair", asJson(repair)), {
    discard: true,
  })
  const told: Array<StepRepair> = [...wired.repairs]
  const steps = ordered.levels.flat()
  const { results, lost } = yield* runSteps({
    steps,
    source: input.source,
    maxParallel: input.max_parallel,
    keepGoing: input.on_step_error === "keep",
    call: (step, inputs) => callStep(step, inputs, context, told),
    progress: context.progress,
  })
  const [first] = lost
  if (first !== undefined && results.size === 0) {
    return yield* new StageFailed({
      class: "tool_error",
      message: `step ${first.step} (${first.tool}): ${first.message}`,
      detail: { failed: lost.map(asJson) },
    })
  }
  const order = steps.map(({ id }) => id).filter((id) => results.has(id))
  const output: Json = {
    steps: Object.fromEntries(order.map((id) => [id, results.get(id) ?? null])),
    order,
    repairs: told.map(asJson),
    failed: lost.map(asJson),
    last: results.get(order.at(-1) ?? "") ?? null,
  }
  return output
})

const said = (output: Json): string => {
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
      max_parallel: { type: "integer", minimum: 1, maximum: 64, default: 4 },
      on_step_error: {
        type: "string",
        enum: ["fail", "keep"],
        default: "fail",
        description: "keep: go on without the step and those that need it, and say so",
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
  run: withSummary(work, said),
})
