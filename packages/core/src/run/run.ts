/** A pipeline and its inputs → a run: events as they happen, and the result they fold into. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  StageFailed,
  toFailureRecord,
  type FailureRecord,
  type Journal,
  type Json,
  type JsonObject,
  type OpenedRun,
  type RunStore,
  type SessionStore,
  type StoreFailed,
  type Suspended,
} from "@planloom/plugin"
import { listed } from "../definition/listed.ts"
import type { SchemaIssue } from "../definition/Validator.ts"
import type { BudgetAccount } from "../model/Budget.ts"
import type { Cassette } from "../model/Cassette.ts"
import { Limits } from "../model/Limits.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { runBlock } from "./block.ts"
import { conversationOf, type Conversation } from "./Conversation.ts"
import { EarlyOutputs } from "./EarlyOutputs.ts"
import { Groups } from "./Groups.ts"
import { inStore } from "./inStore.ts"
import { memoryJournal } from "./journals.ts"
import { keepRunFailure } from "./keepFailure.ts"
import { timeSpent } from "./obey.ts"
import { Personal } from "./personal.ts"
import type { AnswerNow } from "./question.ts"
import { RunFailed, type RunResult } from "./result.ts"
import { openFrame, RunState, type Frame, type Listener } from "./RunState.ts"
import { scrubber } from "./scrub.ts"
import { evaluated, failureIn } from "./stage.ts"
import type { Inside } from "./Inside.ts"
import { stoppingOf, within, type Stopping } from "./Stopping.ts"
import { suspensionIn, unanswered } from "./suspension.ts"
import { timeLimit } from "./timeLimit.ts"
import { fitting, saved, unhurried } from "./withCassette.ts"

/** The inputs do not fit what the workflow declares; nothing has run. */
export class InputsRejected extends Data.TaggedError("InputsRejected")<{
  readonly workflow: string
  readonly message: string
  readonly issues: ReadonlyArray<SchemaIssue>
}> {}

export interface RunOptions {
  /** The run's id; a random one unless given. */
  readonly run?: string
  /** Where steps are recorded; nowhere unless given. */
  readonly journal?: Journal
  /**
   * Where the whole run is recorded. A run of this id that is there already goes on where it was; one
   * that has succeeded or failed gives its recorded end again, and nothing runs.
   */
  readonly store?: RunStore
  /**
   * The session the run is a turn of: it sees the turns before it, and leaves one when it succeeds. Fails
   * with class `conflict` when another run of the session was kept first.
   */
  readonly session?: string
  /** Where sessions are kept; in `store` unless given. */
  readonly sessions?: SessionStore
  /** What the store keeps as this run's definition. */
  readonly definition?: Json
  /** Goes on with the run only if nobody has since it had this epoch. */
  readonly epoch?: number
  /** Hears that the last of the record could not be written. The run has its result nevertheless. */
  readonly onUnrecorded?: (failure: StoreFailed) => void
  /** Hears every event, in order, as it happens. Must not throw. */
  readonly onEvent?: Listener
  /** How far the run may go: `Stopping` with a request goes over its record, then cancels it. */
  readonly stopping?: Stopping
  /** Limits shared with other runs; those of the process unless given. */
  readonly groups?: Groups
  /** Records the calls of the run, or answers them: then nothing is asked and no tool runs. */
  readonly cassette?: Cassette
  /** Rates and breakers shared with other runs; those of the process unless given. */
  readonly limits?: Limits
  /** A budget shared with other runs, beside the workflow's own. */
  readonly budget?: BudgetAccount
  /**
   * Asks somebody who is there, whatever the run needs an answer to: an approval (`{ approved, comment? }`), a
   * clarification, a value. Without an answer a recorded run is suspended, any other fails with class `clarification`.
   */
  readonly answer?: AnswerNow
  /** Folder for files that tools write. */
  readonly workspace?: string
  /** Values that must never appear in an event. */
  readonly secrets?: ReadonlyArray<string>
}

const groupsOfProcess = new Groups()
const limitsOfProcess = new Limits()

/**
 * Runs a pipeline to its end, or until nothing can be done without an answer: then its `status` is `suspended`
 * or `clarification`, `waits` are the questions, and it holds nothing any more. Interrupting it interrupts every
 * stage and tool, then runs `finally`.
 */
export const run = (
  pipeline: Pipeline,
  inputs: JsonObject,
  options: RunOptions = {},
): Effect.Effect<RunResult, RunFailed | InputsRejected> =>
  Effect.clockWith((clock): Effect.Effect<RunResult, RunFailed | InputsRejected> => {
    const given = { ...pipeline.inputs.defaults, ...inputs }
    const issues = pipeline.inputs.validate(given)
    if (issues.length > 0) return Effect.fail(rejected(pipeline, issues))
    const personal = new Personal(pipeline.definition.inputs, given)
    const cassette = personal.cassette(options.cassette)
    // A recording holds no id of its own, so that two of one run are the same.
    const id = options.run ?? (cassette === undefined ? crypto.randomUUID() : "recorded")
    const begin = (journal: Journal, opened?: OpenedRun) =>
      begun(
        pipeline,
        given,
        new RunState({
          run: id,
          journal: unhurried(cassette, journal),
          stopping: stoppingOf(options.stopping, opened),
          groups: options.groups ?? groupsOfProcess,
          limits: options.limits ?? limitsOfProcess,
          cassette,
          shared: options.budget === undefined ? [] : [options.budget],
          answer: options.answer,
          workspace: options.workspace ?? ".planloom/work",
          clock,
          listener: options.onEvent,
          scrub: scrubber(options.secrets ?? []),
          ...(opened === undefined || opened.epoch === 1 ? {} : { earlier: opened.events }),
        }),
        // One that has told nothing yet has only been put down to be begun.
        opened === undefined || opened.events.length === 0 ? 1 : opened.epoch,
        conversationOf(pipeline, options, opened, personal),
      )
    const { store } = options
    const whole =
      store === undefined
        ? begin(options.journal ?? memoryJournal)
        : inStore(store, pipeline, id, given, options, (opened) => begin(opened.journal, opened))
    return saved(cassette, options.onUnrecorded, whole)
  })

/** Tells the start, does the work, tells the end. */
const begun = (
  pipeline: Pipeline,
  inputs: JsonObject,
  state: RunState,
  epoch: number,
  conversation: Conversation | undefined,
) => {
  state.conversation = conversation
  state.emit({
    type: "RunStarted",
    run: state.run,
    workflow: pipeline.name,
    inputs,
    ...(conversation === undefined ? {} : { session: conversation.place.session }),
  })
  if (epoch > 1) state.emit({ type: "RunResumed", epoch })
  const frame = openFrame(state, pipeline, inputs, "", state.shared)
  return Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.exit(restore(within(state.stopping, fitting(state.cassette, turn(pipeline, frame))))),
      (exit) => settled(pipeline, frame, exit),
    ),
  )
}

/** The work of a run, between what its session brings and what it leaves there, when it is a turn of one. */
const turn = (pipeline: Pipeline, frame: Frame): Effect.Effect<JsonObject, StageFailed> => {
  const { conversation } = frame.state
  const work = Effect.suspend(() => {
    if (pipeline.early.length > 0) frame.state.early = new EarlyOutputs(frame)
    return keepRunFailure(pipeline, frame, bounded(pipeline, frame))
  })
  return conversation === undefined
    ? work
    : Effect.andThen(
        conversation.open(frame),
        Effect.tap(work, () => conversation.remember(frame)),
      )
}

const rejected = (pipeline: Pipeline, issues: ReadonlyArray<SchemaIssue>) =>
  new InputsRejected({
    workflow: pipeline.name,
    issues,
    message: `the inputs of "${pipeline.name}" do not fit: ${listed(issues, "the object")}`,
  })

/** The stages and the outputs, within the run's time and its concurrency group. */
const bounded = (pipeline: Pipeline, frame: Frame): Effect.Effect<JsonObject, StageFailed> => {
  const { concurrency } = pipeline
  const work = Effect.flatMap(runBlock(pipeline.main, frame, inside), () =>
    outputsOf(pipeline, frame),
  )
  const { timeout } = pipeline
  const timed =
    timeout === undefined
      ? work
      : timeLimit(
          work,
          timeout,
          () =>
            new StageFailed({
              class: "timeout",
              message: `the run of "${pipeline.name}" was not done in ${timeout} ms`,
            }),
        )
  const budgeted = pipeline.budget?.time
  const withinBudget =
    budgeted === undefined
      ? timed
      : timeLimit(timed, budgeted, () => timeSpent(`workflow "${pipeline.name}"`, budgeted))
  return concurrency === undefined
    ? withinBudget
    : frame.state.groups.within(concurrency, withinBudget)
}

const outputsOf = (pipeline: Pipeline, { scope }: Frame): Effect.Effect<JsonObject, StageFailed> =>
  Effect.suspend(() => {
    const outputs: { [name: string]: Json } = {}
    for (const { name, validate, value } of pipeline.outputs) {
      const given = evaluated(value.evaluate, scope)
      if (given instanceof StageFailed) return Effect.fail(given)
      const issues = validate(given)
      if (issues.length > 0) {
        return Effect.fail(
          new StageFailed({
            class: "invalid_output",
            message: `output "${name}" does not fit its schema: ${listed(issues)}`,
          }),
        )
      }
      outputs[name] = given
    }
    return Effect.succeed(outputs)
  })

/** Runs `finally`, tells the end, and gives it as the caller's result. */
const settled = (
  pipeline: Pipeline,
  frame: Frame,
  exit: Exit.Exit<JsonObject, StageFailed>,
): Effect.Effect<RunResult, RunFailed> => {
  const { stopping } = frame.state
  if (stopping?.left === true && Exit.hasInterrupts(exit)) return exit as Exit.Exit<never>
  stopping?.release()
  const suspended = Exit.isSuccess(exit) ? undefined : suspensionIn(exit.cause)
  if (suspended !== undefined && frame.state.journal.lasting) return parked(frame, suspended)
  const failure = Exit.isSuccess(exit)
    ? undefined
    : suspended === undefined
      ? failureIn(exit.cause)
      : unanswered(suspended)
  const outcome = Exit.isSuccess(exit) ? "success" : failure === undefined ? "cancelled" : "failure"
  if (pipeline.finally.nodes.length === 0) return told(frame, exit, failure)
  const scope = {
    ...frame.scope,
    outcome,
    ...(failure === undefined ? {} : { error: { class: failure.class, message: failure.message } }),
  }
  const lastly = runBlock(pipeline.finally, { ...frame, scope }, inside, frame.state.endings + 1)
  return Effect.flatMap(
    Effect.exit(within(stopping?.replays === true ? stopping : undefined, lastly)),
    (last) => {
      if (Exit.isSuccess(exit) && Exit.isFailure(last)) {
        return told(frame, last, failureIn(last.cause))
      }
      return told(frame, exit, failure)
    },
  )
}

/** The run has not ended: `finally` is for its end. */
const parked = ({ state }: Frame, { waits }: Suspended): Effect.Effect<RunResult> =>
  Effect.sync(() => {
    state.emit({ type: "RunSuspended", waits })
    return state.result()
  })

const told = (
  frame: Frame,
  exit: Exit.Exit<JsonObject | void, StageFailed>,
  failure: FailureRecord | undefined,
): Effect.Effect<RunResult, RunFailed> => {
  const { state } = frame
  if (Exit.isSuccess(exit)) {
    const outputs = exit.value as JsonObject
    return state.conversation === undefined
      ? toldFinished(state, outputs)
      : Effect.matchCauseEffect(state.conversation.save(frame), {
          onSuccess: () => toldFinished(state, outputs),
          onFailure: (cause) => toldFailed(state, failureIn(cause)!, outputs),
        })
  }
  if (failure === undefined) {
    state.emit({ type: "RunCancelled", reason: state.stopping?.reason ?? "interrupted" })
    return Effect.failCause(exit.cause) as Effect.Effect<never, never>
  }
  return toldFailed(state, failure)
}

const toldFinished = (state: RunState, outputs: JsonObject): Effect.Effect<RunResult> => {
  state.emit({ type: "RunFinished", outputs })
  return Effect.succeed(state.result())
}

const toldFailed = (
  state: RunState,
  failure: FailureRecord,
  outputs?: JsonObject,
): Effect.Effect<never, RunFailed> => {
  state.emit({
    type: "RunFailed",
    failure: toFailureRecord(failure),
    ...(outputs === undefined ? {} : { outputs }),
  })
  return Effect.fail(
    new RunFailed({ message: failure.message, reason: failure, result: state.result() }),
  )
}

/** A workflow inside a stage: the same run, paths and budgets; its own inputs and stages. */
const runNested: Inside["workflow"] = (frame, path, workflow, inputs) =>
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
    const given = { ...pipeline.inputs.defaults, ...inputs }
    const issues = pipeline.inputs.validate(given)
    if (issues.length > 0) {
      return Effect.fail(
        new StageFailed({ class: "invalid_request", message: rejected(pipeline, issues).message }),
      )
    }
    const inner = openFrame(frame.state, pipeline, given, `${path}/`, frame.accounts)
    return bounded(pipeline, inner)
  })

const inside: Inside = {
  block: (block, frame) => runBlock(block, frame, inside),
  workflow: runNested,
}
