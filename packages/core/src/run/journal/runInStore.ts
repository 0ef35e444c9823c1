/** Runs a pipeline with its record in a store: opens the record first and closes it last; returns the result of an ended run. */
import * as Effect from "effect/Effect"
import type {
  Json,
  JsonObject,
  OpenedRun,
  RunEvent,
  RunRecord,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { RunFailed, type RunResult } from "../RunResult.ts"
import { resultOf } from "../RunFold.ts"
import { InputsRejected } from "../InputsRejected.ts"
import type { Personal } from "./personal.ts"
import { scrubber } from "./scrub.ts"

export interface Recording {
  readonly personal: Personal
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
  const scrub = scrubbing(personal, options)
  const open = (epoch: number | undefined) =>
    store.open({
      run,
      workflow: pipeline.name,
      inputs: personal.inputs(inputs),
      ...(options.session === undefined ? {} : { session: options.session }),
      ...(userDigest === undefined ? {} : { userDigest }),
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
                  // Another process resumes it.
                  onFailure: () => exit,
                  onSuccess: workOn,
                }),
          ),
      )
    const first =
      options.opened === undefined ? open(options.epoch) : Effect.succeed(options.opened)
    return Effect.matchEffect(first, {
      onFailure: (failure) => unopened(pipeline, run, inputs, options, failure),
      onSuccess: workOn,
    })
  })
  if (options.run === undefined || options.opened !== undefined) return opened
  return Effect.matchEffect(store.show(run), {
    onFailure: (failure) => unopened(pipeline, run, inputs, options, failure),
    onSuccess: (record): Effect.Effect<RunResult, RunFailed | InputsRejected> =>
      isOfAnotherUser(pipeline, record, userDigest)
        ? Effect.fail(anotherUser(pipeline, run))
        : Effect.matchEffect(ended(store, record), {
            onFailure: (failure) => unopened(pipeline, run, inputs, options, failure),
            onSuccess: (result) => (result === undefined ? opened : answered(result)),
          }),
  })
}

/** Removes secrets from everything, and personal inputs from everything except the definition. */
export const scrubbing = (
  personal: Personal,
  { definition, secrets = [] }: Pick<Recording, "definition" | "secrets">,
): ((value: Json) => Json) | undefined => {
  const scrub = scrubber(secrets)
  if (personal.none) return scrub
  return (value) => {
    const clean = scrub === undefined ? value : scrub(value)
    return value === definition ? clean : personal.hide(clean)
  }
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
