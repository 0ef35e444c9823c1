/** Runs a pipeline with its record in a store: opens the record first and closes it last; returns the result of an ended run. */
import * as Effect from "effect/Effect"
import type {
  Json,
  JsonObject,
  OpenedRun,
  PersonalDigests,
  RunEvent,
  RunRecord,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { RunFailed, type RunResult } from "../RunResult.ts"
import { resultOf } from "../RunFold.ts"
import { InputsRejected } from "../InputsRejected.ts"
import { changedInputs, inputsKept, startedWith } from "./inputsAgain.ts"
import type { Personal } from "./personal.ts"
import { digestPersonal } from "./digestPersonal.ts"
import { scrubbing } from "./scrubbing.ts"

export interface Recording {
  readonly personal: Personal
  /** The inputs as they were given, with defaults: placeholders in them stand for personal texts. */
  readonly given: JsonObject
  /** Of the run's user; undefined for a run without one. */
  readonly userDigest: string | undefined
  /** Given when the run may have been started before. */
  readonly run?: string
  readonly session?: string
  readonly definition?: Json
  readonly secrets?: ReadonlyArray<string>
  /** The run must still have this epoch. */
  readonly epoch?: number
  readonly opened?: OpenedRun
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
): Effect.Effect<RunResult, RunFailed | InputsRejected> => {
  const { personal, userDigest } = options
  const recorded = personal.inputs(inputs)
  const scrub = scrubbing(personal, { ...options, recorded })
  const open = (epoch: number | undefined, personalDigests?: PersonalDigests) =>
    store.open({
      run,
      workflow: pipeline.name,
      inputs: recorded,
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(userDigest === undefined ? {} : { userDigest }),
      ...(personalDigests === undefined ? {} : { personalDigests }),
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
  type Ended = Effect.Effect<RunResult, RunFailed | InputsRejected>
  const workIn = (
    opening: Effect.Effect<OpenedRun, StoreFailed>,
    onFailure: (failure: StoreFailed) => Ended,
  ): Ended =>
    Effect.uninterruptibleMask((restore) => {
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
                    // Another process resumes it.
                    onFailure: () => exit,
                    onSuccess: workOn,
                  }),
            ),
        )
      return Effect.matchEffect(opening, { onFailure, onSuccess: workOn })
    })
  const create = (epoch: number | undefined, onFailure: (failure: StoreFailed) => Ended) =>
    Effect.flatMap(digestPersonal(personal.names, options.given), (digests) =>
      workIn(open(epoch, digests), onFailure),
    )
  const failed = (failure: StoreFailed) => unopened(pipeline, run, inputs, options, failure)
  if (options.opened !== undefined) return workIn(Effect.succeed(options.opened), failed)
  if (options.run === undefined) return create(options.epoch, failed)
  const resumed = (record: RunRecord): Ended =>
    Effect.matchEffect(
      Effect.flatMap(startedWith(store, record), (started) =>
        changedInputs(pipeline, started, options.given, scrub?.(recorded) ?? recorded),
      ),
      {
        onFailure: failed,
        onSuccess: (issues) =>
          issues.length > 0
            ? Effect.fail(inputsKept(pipeline.name, run, issues))
            : Effect.matchEffect(ended(store, record), {
                onFailure: failed,
                onSuccess: (result) =>
                  result === undefined ? workIn(open(options.epoch), failed) : answered(result),
              }),
      },
    )
  const found: Ended = Effect.suspend(() =>
    Effect.matchEffect(store.show(run), {
      onFailure: failed,
      onSuccess: (record): Ended => {
        if (record !== undefined) {
          return isOfAnotherUser(pipeline, record, userDigest)
            ? Effect.fail(anotherUser(pipeline, run))
            : resumed(record)
        }
        const { epoch = 0 } = options
        // At epoch 0 a run that another process has created meanwhile is not taken: its inputs are compared first.
        return create(epoch, (failure) =>
          epoch === 0 && failure.reason === "fenced" ? found : failed(failure),
        )
      },
    }),
  )
  return found
}

/** The result of an ended run; undefined for a cancelled or waiting run, which may resume. */
const ended = Effect.fnUntraced(function* (store: RunStore, record: RunRecord | undefined) {
  switch (record?.status) {
    case "succeeded":
    case "failed":
      return resultOf(yield* store.events(record.run))
    case "clarification":
      // With an end it failed without an answer; otherwise it waits.
      return record.finishedAt === undefined ? undefined : resultOf(yield* store.events(record.run))
    default:
      return undefined
  }
})

/** A run that a host started for a user may be of a workflow that declares none. */
const isOfAnotherUser = (
  { user }: Pipeline,
  record: RunRecord | undefined,
  digest: string | undefined,
): boolean => user !== undefined && record?.userDigest !== undefined && record.userDigest !== digest

const anotherUser = ({ name }: Pipeline, run: string) =>
  new InputsRejected({
    workflow: name,
    subject: "user",
    message: `the run ${run} is of another user; only the user that it was started for can resume it`,
    issues: [{ path: "/id", message: "is another than that of the run" }],
  })

const answered = (result: RunResult): Effect.Effect<RunResult, RunFailed> => {
  const { failure } = result
  return failure === undefined
    ? Effect.succeed(result)
    : Effect.fail(new RunFailed({ message: failure.message, reason: failure, result }))
}

/** Emits start and failure of a run whose record could not be opened. */
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
