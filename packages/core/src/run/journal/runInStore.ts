/** A run in its store: opened before anything happens, closed after everything; finished ones answer at once. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject, OpenedRun, RunEvent, RunStore, StoreFailed } from "@planloom/plugin"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { RunFailed, type RunResult } from "../RunResult.ts"
import { resultOf } from "../RunFold.ts"
import { Personal } from "./personal.ts"
import { scrubber } from "./scrub.ts"

export interface Recording {
  /** Given by whoever may have begun the run before. */
  readonly run?: string
  readonly session?: string
  readonly definition?: Json
  readonly secrets?: ReadonlyArray<string>
  /** Whoever has the run open must be at this epoch. */
  readonly epoch?: number
  readonly onEvent?: (event: RunEvent) => void
  readonly onUnrecorded?: (failure: StoreFailed) => void
}

export const runInStore = (
  store: RunStore,
  pipeline: Pipeline,
  run: string,
  inputs: JsonObject,
  options: Recording,
  work: (opened: OpenedRun) => Effect.Effect<RunResult, RunFailed>,
): Effect.Effect<RunResult, RunFailed> => {
  const personal = new Personal(pipeline.definition.inputs, inputs)
  const scrub = scrubbing(personal, options)
  const open = (epoch: number | undefined) =>
    store.open({
      run,
      workflow: pipeline.name,
      inputs: personal.inputs(inputs),
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(options.definition === undefined ? {} : { definition: options.definition }),
      ...(scrub === undefined ? {} : { scrub }),
      ...(epoch === undefined ? {} : { epoch }),
    })
  const close = (given: OpenedRun) =>
    Effect.catch(given.close, (failure) =>
      Effect.sync(() => {
        options.onUnrecorded?.(failure)
        return "closed" as const
      }),
    )
  const opened = Effect.uninterruptibleMask((restore) => {
    const workOn = (given: OpenedRun): Effect.Effect<RunResult, RunFailed> =>
      Effect.flatMap(
        Effect.exit(
          restore(
            work(personal.none ? given : { ...given, journal: personal.journal(given.journal) }),
          ),
        ),
        (exit) =>
          Effect.flatMap(close(given), (how) =>
            how === "closed"
              ? exit
              : Effect.matchEffect(open(given.epoch), {
                  // Somebody else goes on with it.
                  onFailure: () => exit,
                  onSuccess: workOn,
                }),
          ),
      )
    return Effect.matchEffect(open(options.epoch), {
      onFailure: (failure) => unopened(pipeline, run, inputs, options, failure),
      onSuccess: workOn,
    })
  })
  if (options.run === undefined) return opened
  return Effect.matchEffect(ended(store, run), {
    onFailure: (failure) => unopened(pipeline, run, inputs, options, failure),
    onSuccess: (result) => (result === undefined ? opened : answered(result)),
  })
}

/** Secrets go from everything, personal inputs from all but the definition, which is the workflow's own text. */
const scrubbing = (
  personal: Personal,
  { definition, secrets = [] }: Recording,
): ((value: Json) => Json) | undefined => {
  const scrub = scrubber(secrets)
  if (personal.none) return scrub
  return (value) => {
    const clean = scrub === undefined ? value : scrub(value)
    return value === definition ? clean : personal.hide(clean)
  }
}

/** The result of a run that is over for good; one that was cancelled or waits may go on. */
const ended = Effect.fnUntraced(function* (store: RunStore, run: string) {
  const record = yield* store.show(run)
  switch (record?.status) {
    case "succeeded":
    case "failed":
      return resultOf(yield* store.events(run))
    case "clarification":
      // With an end it has failed for want of an answer; without one it waits.
      return record.finishedAt === undefined ? undefined : resultOf(yield* store.events(run))
    default:
      return undefined
  }
})

const answered = (result: RunResult): Effect.Effect<RunResult, RunFailed> => {
  const { failure } = result
  return failure === undefined
    ? Effect.succeed(result)
    : Effect.fail(new RunFailed({ message: failure.message, reason: failure, result }))
}

/** Nothing has run, and that is told as any other end. */
const unopened = (
  { name }: Pipeline,
  run: string,
  inputs: JsonObject,
  { onEvent }: Recording,
  { message }: StoreFailed,
): Effect.Effect<never, RunFailed> =>
  Effect.clockWith((clock) => {
    const at = clock.currentTimeMillisUnsafe()
    const reason = { class: "store" as const, message }
    const events: ReadonlyArray<RunEvent> = [
      { type: "RunStarted", seq: 0, at, run, workflow: name, inputs },
      { type: "RunFailed", seq: 1, at, failure: reason },
    ]
    for (const event of events) onEvent?.(event)
    return Effect.fail(new RunFailed({ message, reason, result: resultOf(events) }))
  })
