/** Runs steps by data flow: each starts when its dependencies have results, with limited concurrency. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { StageFailed } from "@planloom/plugin/effect"
import type { FailureClass, Json, JsonObject, ToolFailed } from "@planloom/plugin/effect"
import { dataDependencies, SOURCE, stepCalls } from "@planloom/planning"
import type { Step, StepCall } from "@planloom/planning"

/** A step without a result: its tool failed, or a step it depends on did. */
export class StepFailed extends Data.TaggedError("StepFailed")<FailedStep> {}

export interface StepRun {
  /** In topological order. */
  readonly steps: ReadonlyArray<Step>
  readonly source: Json
  readonly maxParallel: number
  /** Continue without a step that failed. */
  readonly keepGoing: boolean
  /** Fails for a call that has a problem. */
  readonly call: (step: Step, call: StepCall, inputs: JsonObject) => Effect.Effect<Json, ToolFailed>
  readonly progress: (message: string, fraction: number) => Effect.Effect<void>
}

export interface FailedStep {
  /** The id of a step, or of an item of one: `checks[2]`. */
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
  id: string,
  { tool }: Step,
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

  const call = (
    step: Step,
    made: StepCall,
    inputs: JsonObject,
  ): Effect.Effect<Json, StageFailed | StepFailed> =>
    permits
      .withPermits(1)(run.call(step, made, inputs))
      .pipe(
        Effect.catch((failure): Effect.Effect<never, StageFailed | StepFailed> =>
          Effect.fail(run.keepGoing ? stepFailure(made.key, step, failure) : failed(step, failure)),
        ),
      )

  /** The results of the items that have one; the step fails if none of several has. */
  const items = Effect.fnUntraced(function* (
    step: Step,
    calls: ReadonlyArray<StepCall>,
    inputs: JsonObject,
  ) {
    const outcomes = yield* Effect.forEach(
      calls,
      (made) =>
        Effect.catchTag(call(step, made, inputs), "StepFailed", (failure) =>
          Effect.succeed(failure),
        ),
      { concurrency: "unbounded" },
    )
    const broken = outcomes.filter((outcome) => outcome instanceof StepFailed)
    const [first] = broken
    if (first !== undefined && broken.length === outcomes.length) {
      return yield* stepFailure(step.id, step, first)
    }
    for (const failure of broken) failedSteps.set(failure.step, failure)
    return outcomes.filter((outcome): outcome is Json => !(outcome instanceof StepFailed))
  })

  const one = Effect.fnUntraced(function* (step: Step) {
    yield* Effect.forEach(step.needs ?? [], read, { discard: true })
    const known = yield* Effect.forEach([SOURCE, ...dataDependencies(step)], (from) =>
      Effect.map(read(from), (data) => [from, data] as const),
    )
    const data = new Map(known)
    const inputs = Object.fromEntries(
      Object.entries(step.inputs).map(([slot, from]) => [slot, data.get(from) ?? null]),
    )
    const calls = stepCalls(step, data)
    const result: Json =
      step.each === undefined
        ? yield* call(step, calls[0]!, inputs)
        : yield* items(step, calls, inputs)
    results.set(step.id, result)
    yield* Deferred.succeed(pending.get(step.id) as Pending, result)
    yield* run.progress(`${step.id} (${step.tool})`, results.size / run.steps.length)
  })

  const oneOrFailed = (step: Step) =>
    Effect.catchTag(one(step), "StepFailed", (failure) => {
      const isOwn = failure.step === step.id
      const message = isOwn ? failure.message : `not run, because ${failure.step} failed`
      const entry = stepFailure(step.id, step, { class: failure.class, message })
      failedSteps.set(step.id, entry)
      return Deferred.fail(pending.get(step.id) as Pending, entry)
    })

  yield* Effect.forEach(run.steps, oneOrFailed, { concurrency: "unbounded", discard: true })
  const found: StepResults = {
    results,
    failedSteps: run.steps.flatMap(({ id }) =>
      [...failedSteps.values()]
        .filter(({ step }) => step === id || step.startsWith(`${id}[`))
        .map(({ class: reason, message, step, tool }) => ({ step, tool, class: reason, message })),
    ),
  }
  return found
})
