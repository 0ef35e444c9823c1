/** Runs a whole workflow, the run's own or a nested one, within its policies, and returns its outputs. */
import * as Effect from "effect/Effect"
import { StageFailed, type Json, type JsonObject } from "@planloom/plugin/effect"
import { formatDuration } from "@planloom/plugin/duration"
import { prefixOf } from "@planloom/plugin/segments"
import { formatIssues } from "@planloom/schema"
import type { Late } from "../model/limit/TimeLimit.ts"
import type { Pipeline, PipelineOutput } from "../pipeline/Pipeline.ts"
import { mayQuoteIn } from "./shown/showing.ts"
import { runBlock } from "./schedule/runBlock.ts"
import { InputsRejected, inputsOf } from "./InputsRejected.ts"
import type { NestedRunner } from "./schedule/NestedRunner.ts"
import { withinTime } from "./policy/applyPolicy.ts"
import { openFrame, type Frame } from "./Frame.ts"
import { respond } from "./surroundings/endHooks.ts"
import { sectionValues } from "./stage/sectionValues.ts"
import { userOf } from "./surroundings/User.ts"
import { tryEvaluate } from "./stage/tryEvaluate.ts"
import { timeLimit } from "./policy/timeLimit.ts"

/** Applies the workflow's time limits and concurrency group. */
export const runWorkflow = (
  pipeline: Pipeline,
  frame: Frame,
): Effect.Effect<JsonObject, StageFailed> => {
  const { budget, concurrency, name, timeout } = pipeline
  const stages = Effect.flatMap(runBlock(pipeline.main, frame, nested), () =>
    outputsOf(pipeline, frame),
  )
  const work =
    pipeline.sections.length === 0
      ? stages
      : Effect.flatMap(sectionValues(pipeline.sections, frame), (values) => {
          Object.assign(frame.scope, values)
          return stages
        })
  const timed = timeout === undefined ? work : timeLimit(work, timeout, frame.state, lateRun(name))
  const limited =
    budget?.time === undefined
      ? timed
      : withinTime(timed, budget.time, frame.state, `workflow "${name}"`)
  return concurrency === undefined
    ? limited
    : frame.state.concurrencyLimiter.within(concurrency, limited)
}

const lateRun =
  (name: string): Late =>
  (limit) =>
    new StageFailed({
      class: "timeout",
      message: `the run of "${name}" was not done in ${formatDuration(limit)}`,
    })

const outputsOf = (pipeline: Pipeline, frame: Frame): Effect.Effect<JsonObject, StageFailed> => {
  const { scope } = frame
  const outputs: { [name: string]: Json } = {}
  for (const output of pipeline.outputs) {
    const given = tryEvaluate(output.value.evaluate, scope)
    if (given instanceof StageFailed) return Effect.fail(unusable(frame, output, given))
    const issues = output.validate(given)
    if (issues.length > 0) {
      const message = `output "${output.name}" does not fit its schema: ${formatIssues(issues)}`
      return Effect.fail(
        unusable(frame, output, new StageFailed({ class: "invalid_output", message })),
      )
    }
    outputs[output.name] = given
  }
  return respond(frame, outputs)
}

/** Without words of the output, where they would have to pass a gate. */
const unusable = (
  frame: Frame,
  { name, value }: PipelineOutput,
  failure: StageFailed,
): StageFailed =>
  mayQuoteIn(frame, value)
    ? new StageFailed({
        class: failure.class,
        message:
          failure.class === "invalid_output"
            ? `output "${name}" does not fit its schema`
            : `output "${name}" cannot be computed`,
      })
    : failure

/** Runs a nested workflow, which shares the run and its budgets and has its own inputs and stages. */
const runNested: NestedRunner["workflow"] = (frame, path, workflow, inputs) =>
  Effect.suspend(() => {
    const pipeline = frame.pipeline.workflows.get(workflow)
    if (pipeline === undefined) {
      return Effect.fail(
        new StageFailed({
          class: "invalid_request",
          message: `workflow "${workflow}" is not known; its path must be written as plain text in \`with\``,
        }),
      )
    }
    const given = inputsOf(pipeline, inputs)
    if (given instanceof InputsRejected) {
      return Effect.fail(new StageFailed({ class: "invalid_request", message: given.message }))
    }
    if (pipeline.user !== undefined) {
      const user = userOf(pipeline, frame.state.user)
      if (user instanceof InputsRejected) {
        return Effect.fail(new StageFailed({ class: "invalid_request", message: user.message }))
      }
    }
    const { around, budgets, state, variants } = frame
    return runWorkflow(
      pipeline,
      openFrame(state, pipeline, given, prefixOf(path), budgets, variants, around),
    )
  })

export const nested: NestedRunner = {
  block: (block, frame) => runBlock(block, frame, nested),
  workflow: runNested,
}
