/** Steps by the flow of data: each starts when what it reads and needs is there, a limited number at a time. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { StageFailed } from "@planloom/plugin"
import type { Json, JsonObject, ToolFailed } from "@planloom/plugin"
import { SOURCE } from "@planloom/planning"
import type { Step } from "@planloom/planning"

/** A step that gave nothing, because its tool failed or because it needed one that gave nothing. */
export class StepLost extends Data.TaggedError("StepLost")<{
  readonly step: string
  readonly tool: string
  readonly message: string
}> {}

export interface StepRun {
  /** In an order in which each comes after all it needs. */
  readonly steps: ReadonlyArray<Step>
  readonly source: Json
  readonly maxParallel: number
  /** Go on without a step that failed. */
  readonly keepGoing: boolean
  readonly call: (step: Step, inputs: JsonObject) => Effect.Effect<Json, ToolFailed>
  readonly progress: (message: string, fraction: number) => Effect.Effect<void>
}

interface StepResults {
  readonly results: ReadonlyMap<string, Json>
  /** In the order of the steps. */
  readonly lost: ReadonlyArray<{
    readonly step: string
    readonly tool: string
    readonly message: string
  }>
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

/** What stops the whole run is not a step's own failure. */
const stops = ({ class: kind }: ToolFailed) => kind === "cancelled" || kind === "budget"

type Pending = Deferred.Deferred<Json, StepLost>

/** The first failure interrupts the other steps, unless `keepGoing`. */
export const runSteps = Effect.fnUntraced(function* (run: StepRun) {
  const pending = new Map<string, Pending>()
  for (const { id } of run.steps) pending.set(id, Deferred.makeUnsafe())
  const permits = Semaphore.makeUnsafe(run.maxParallel)
  const results = new Map<string, Json>()
  const lost = new Map<string, StepLost>()

  const read = (from: string): Effect.Effect<Json, StepLost> => {
    const step = pending.get(from)
    return from === SOURCE || step === undefined ? Effect.succeed(run.source) : Deferred.await(step)
  }

  const call = (step: Step, inputs: JsonObject): Effect.Effect<Json, StageFailed | StepLost> =>
    permits
      .withPermits(1)(run.call(step, inputs))
      .pipe(
        Effect.catch((failure): Effect.Effect<never, StageFailed | StepLost> =>
          run.keepGoing && !stops(failure)
            ? Effect.fail(
                new StepLost({ step: step.id, tool: step.tool, message: failure.message }),
              )
            : Effect.fail(failed(step, failure)),
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

  const orLost = (step: Step) =>
    Effect.catchTag(one(step), "StepLost", (failure) => {
      const own = failure.step === step.id
      const message = own ? failure.message : `not run, because ${failure.step} failed`
      const entry = new StepLost({ step: step.id, tool: step.tool, message })
      lost.set(step.id, entry)
      return Deferred.fail(pending.get(step.id) as Pending, entry)
    })

  yield* Effect.forEach(run.steps, orLost, { concurrency: "unbounded", discard: true })
  const found: StepResults = {
    results,
    lost: run.steps.flatMap(({ id }) => {
      const entry = lost.get(id)
      return entry === undefined ? [] : [{ step: id, tool: entry.tool, message: entry.message }]
    }),
  }
  return found
})
