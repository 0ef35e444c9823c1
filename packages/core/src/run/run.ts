/** A pipeline and its inputs → a run: events as they happen, and the result they fold into. */
import * as Effect from "effect/Effect"
import type { Journal, JsonObject, OpenedRun, StageFailed } from "@planloom/plugin"
import { Limits } from "../model/Limits.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { conversationOf, type Conversation } from "./session/Conversation.ts"
import { EarlyOutputs } from "./schedule/EarlyOutputs.ts"
import { Groups } from "./policy/Groups.ts"
import { InputsRejected, inputsOf } from "./InputsRejected.ts"
import { inStore } from "./journal/inStore.ts"
import { memoryJournal } from "./journal/journals.ts"
import { keepRunFailure } from "./stage/keepFailure.ts"
import { Personal } from "./journal/personal.ts"
import type { RunFailed, RunResult } from "./RunResult.ts"
import type { RunOptions } from "./RunOptions.ts"
import { runFolder, WORKSPACE } from "./RunFolder.ts"
import { openFrame, RunState, type Frame } from "./RunState.ts"
import { scrubber } from "./journal/scrub.ts"
import { settle } from "./settle.ts"
import { stoppingOf, within } from "./policy/Stopping.ts"
import { wholeWork } from "./wholeWork.ts"
import { fitting, saved, unhurried } from "./journal/withCassette.ts"

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
    const given = inputsOf(pipeline, inputs)
    if (given instanceof InputsRejected) return Effect.fail(given)
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
          workspace: runFolder(
            options.workspace ?? WORKSPACE,
            // All recordings have one id, but run at the same time.
            cassette === undefined || options.store !== undefined ? id : crypto.randomUUID(),
          ),
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
      (exit) => settle(pipeline, frame, exit),
    ),
  )
}

/** The work of a run, between what its session brings and what it leaves there, when it is a turn of one. */
const turn = (pipeline: Pipeline, frame: Frame): Effect.Effect<JsonObject, StageFailed> => {
  const { conversation } = frame.state
  const work = Effect.suspend(() => {
    if (pipeline.early.length > 0) frame.state.early = new EarlyOutputs(frame)
    return keepRunFailure(pipeline, frame, wholeWork(pipeline, frame))
  })
  return conversation === undefined
    ? work
    : Effect.andThen(
        conversation.open(frame),
        Effect.tap(work, () => conversation.remember(frame)),
      )
}
