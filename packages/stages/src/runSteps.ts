/** Runs steps by data flow: each starts when its dependencies have results, with limited concurrency. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { StageFailed } from "@planloom/plugin/effect"
import type { FailureClass, Json, JsonObject, ToolFailed } from "@planloom/plugin/effect"
import { SOURCE } from "@planloom/planning"
import type { Step } from "@planloom/planning"

/** A step without a result: its tool failed, or a step it depends on did. */
export class StepFailed extends Data.TaggedError("StepFailed")<FailedStep> {}

export interface StepRun {
  /** In topological order. */
  readonly steps: ReadonlyArray<Step>
  readonly source: Json
  readonly maxParallel: number
  /** Continue without a step that failed. */
  readonly keepGoing: boolean
  readonly call: (step: Step, inputs: JsonObject) => Effect.Effect<Json, ToolFailed>
  readonly progress: (message: string, fraction: number) => Effect.Effect<void>
}

export interface FailedStep {
  readonly step: string
  readonly tool: string
  readonly class: FailureClass
  readonly message: string
}

interface StepResults {
  readonly results: ReadonlyMap<string, Json>
  /** In the order of the steps. */
  readonly failedSteps: ReadonlyArray<FailedStep>
}

const failed = (step: Step, failure: ToolFailed): StageFailed =>
  new StageFailed({
    class: failure.class,
    message: `step ${step.id} (${step.tool}): ${failure.message}`,
    detail: {
      step: step.id,
      tool: step.tool,
      ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    },
    ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
  })

const stepFailure = (
  { id, tool }: Step,
  { class: reason, message }: Pick<ToolFailed, "class" | "message">,
): StepFailed => new StepFailed({ step: id, tool, class: reason, message })

type Pending = Deferred.Deferred<Json, StepFailed>

/** The first failure interrupts the other steps, unless `keepGoing`. */
export const runSteps = Effect.fnUntraced(function* (run: StepRun) {
  const pending = new Map<string, Pending>()
  for (const { id } of run.steps) pending.set(id, Deferred.makeUnsafe())
  const permits = Semaphore.makeUnsafe(run.maxParallel)
  const results = new Map<string, Json>()
  const failedSteps = new Map<string, StepFailed>()

  const read = (from: string): Effect.Effect<Json, StepFailed> => {
    const step = pending.get(from)
    return from === SOURCE || step === undefined ? Effect.succeed(run.source) : Deferred.await(step)
  }

  const call = (step: Step, inputs: JsonObject): Effect.Effect<Json, StageFailed | StepFailed> =>
    permits
      .withPermits(1)(run.call(step, inputs))
      .pipe(
        Effect.catch((failure): Effect.Effect<never, StageFailed | StepFailed> =>
          Effect.fail(run.keepGoing ? stepFailure(step, failure) : failed(step, failure)),
        ),
      )

  const one = Effect.fnUntraced(function* (step: Step) {
    yield* Effect.forEach(step.needs ?? [], read, { discard: true })
    const inputs = yield* Effect.forEach(Object.entries(step.inputs), ([slot, from]) =>
      Effect.map(read(from), (data) => [slot, data] as const),
    )
    const result = yield* call(step, Object.fromEntries(inputs))
    results.set(step.id, result)
    yield* Deferred.succeed(pending.get(step.id) as Pending, result)
    yield* run.progress(`${step.id} (${step.tool})`, results.size / run.steps.length)
  })

  const oneOrFailed = (step: Step) =>
    Effect.catchTag(one(step), "StepFailed", (failure) => {
      const isOwn = failure.step === step.id
      const message = isOwn ? failure.message : `not run, because ${failure.step} failed`
      const entry = stepFailure(step, { class: failure.class, message })
      failedSteps.set(step.id, entry)
      return Deferred.fail(pending.get(step.id) as Pending, entry)
    })

  yield* Effect.forEach(run.steps, oneOrFailed, { concurrency: "unbounded", discard: true })
  const found: StepResults = {
    results,
    failedSteps: run.steps.flatMap(({ id }) => {
      const entry = failedSteps.get(id)
      return entry === undefined
        ? []
        : [{ step: id, tool: entry.tool, class: entry.class, message: entry.message }]
    }),
  }
  return found
})
