/** Runs a pipeline: emits events and returns the result they fold into. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  userDigest,
  type Collection,
  type Journal,
  type JsonObject,
  type OpenedRun,
  type RunStore,
  type StageFailed,
} from "@planloom/plugin/effect"
import type { Built } from "../model/CallSite.ts"
import { MemoryRateLimiter } from "../model/limit/MemoryRateLimiter.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { startNow } from "../pipeline/startNow.ts"
import { sessionOf, type Session } from "./session/Session.ts"
import { EarlyOutputs } from "./schedule/EarlyOutputs.ts"
import { reportLists } from "./surroundings/reportLists.ts"
import { pinPrompts } from "./surroundings/pinPrompts.ts"
import { memoryCollections } from "./surroundings/memoryCollections.ts"
import { MemoryConcurrencyLimiter } from "./policy/MemoryConcurrencyLimiter.ts"
import { fittingInputs, InputsRejected, shallow } from "./InputsRejected.ts"
import { runInStore } from "./journal/runInStore.ts"
import { memoryJournal } from "./journal/journals.ts"
import { keepRunFailure } from "./stage/keepFailure.ts"
import { personalOf } from "./journal/personal.ts"
import type { RunFailed, RunResult } from "./RunResult.ts"
import type { RunOptions } from "./RunOptions.ts"
import { newRunId } from "./newRunId.ts"
import { runFolder, WORKSPACE } from "./surroundings/RunFolder.ts"
import { openFrame, type Frame } from "./Frame.ts"
import { userOf } from "./surroundings/User.ts"
import { RunState } from "./RunState.ts"
import { scrubValue, secretsOf, type Secrets } from "./journal/scrub.ts"
import { OutputParts } from "../reply/parts/OutputParts.ts"
import { runFinally } from "./runFinally.ts"
import { cancellationOf, within } from "./policy/Cancellation.ts"
import { nested, runWorkflow } from "./runWorkflow.ts"
import { correctionsModule } from "./lateModules.ts"
import { untilEnd, withObserver, withRecord } from "./surroundings/observed.ts"
import { paced } from "./journal/paced.ts"
import { fitting, saved, unhurried } from "./journal/withCassette.ts"

const processConcurrencyLimiter = new MemoryConcurrencyLimiter()
const processRateLimiter = new MemoryRateLimiter()
const processCollections = memoryCollections()

const collectionsOf = (store: RunStore | undefined): ((name: string) => Collection) =>
  store?.collection === undefined ? processCollections : (name) => store.collection!(name)

/**
 * Runs a pipeline to its end, or until it cannot continue without an answer: then its `status` is `suspended` or
 * `clarification`, `waits` are the questions, and all resources are released. Interrupting it interrupts every
 * stage and tool, then runs `finally`.
 */
export const run = (
  pipeline: Pipeline,
  inputs: JsonObject,
  options: RunOptions = {},
): Effect.Effect<RunResult, RunFailed | InputsRejected> =>
  Effect.clockWith((clock): Effect.Effect<RunResult, RunFailed | InputsRejected> => {
    const user = userOf(pipeline, options.user)
    if (user instanceof InputsRejected) return Effect.fail(user)
    const all = shallow(pipeline, { ...pipeline.inputs.defaults, ...inputs })
    if (all instanceof InputsRejected) return Effect.fail(all)
    const personal = personalOf(pipeline.definition.inputs, all, user)
    const given = fittingInputs(pipeline, personal.reveal(all))
    if (given instanceof InputsRejected) return Effect.fail(given)
    const cassette = personal.cassette(options.cassette)
    // A recording holds no id of its own, so that two of one run are the same.
    const id =
      options.run ?? (cassette === undefined ? newRunId(options.store !== undefined) : "recorded")
    const observer =
      options.telemetry === undefined || cassette?.replays === true
        ? undefined
        : options.telemetry.observe({ run: id, workflow: pipeline.name })
    const watched = observer === undefined ? options : withObserver(options, observer)
    const { onPart } = options
    const secrets = secretsOf(options.secrets ?? [])
    const parts =
      onPart === undefined || !pipeline.outputs.some(({ stream }) => stream)
        ? undefined
        : new OutputParts(pipeline.outputs, onPart, secrets && scrubValue(secrets))
    const observeRecord = withRecord(observer)
    const begin = (journal: Journal, opened?: OpenedRun) => {
      observeRecord(opened)
      return execute(
        pipeline,
        given,
        new RunState({
          run: id,
          journal: paced(options.pace, unhurried(cassette, journal)),
          cancellation: cancellationOf(options.cancellation, opened),
          concurrencyLimiter: options.concurrencyLimiter ?? processConcurrencyLimiter,
          rateLimiter: options.rateLimiter ?? processRateLimiter,
          cassette,
          shared: options.budget,
          answer: options.answer,
          collection: collectionsOf(options.store),
          workspace: () =>
            runFolder(
              options.workspace ?? WORKSPACE,
              // All recordings have one id, but run at the same time.
              cassette === undefined || options.store !== undefined ? id : crypto.randomUUID(),
            ),
          roots: pipeline.roots,
          user,
          clock,
          listener: watched.onEvent,
          secrets,
          hidePersonal: personal.scrub,
          parts,
          onReview: options.onReview,
          onRequest: withoutSecrets(options.onRequest, secrets),
          onPlace: options.onPlace,
          failure: options.failure,
          models: cassette?.replays === true ? undefined : options.models,
          earlier: opened === undefined || opened.epoch === 1 ? undefined : opened.events,
        }),
        // A run without events was only enqueued.
        opened === undefined || opened.events.length === 0 ? 1 : opened.epoch,
        sessionOf(pipeline, options, opened, personal),
        options,
      )
    }
    const { store } = options
    const whole =
      store === undefined
        ? begin(options.journal ?? memoryJournal)
        : runInStore(
            store,
            pipeline,
            id,
            given,
            { ...watched, personal, given: all, userDigest: userDigest(user) },
            (opened) => begin(opened.journal, opened),
          )
    const saving = saved(cassette, options.onUnrecorded, whole)
    const observed = observer === undefined ? saving : untilEnd(observer, clock, saving)
    return parts === undefined
      ? observed
      : Effect.tap(observed, ({ outputs, status }) =>
          status === "succeeded" ? parts.settleAll(outputs) : Effect.void,
        )
  })

const withoutSecrets = (
  onRequest: RunOptions["onRequest"],
  secrets: Secrets | undefined,
): RunOptions["onRequest"] => {
  if (onRequest === undefined || secrets === undefined) return onRequest
  const scrub = scrubValue(secrets)
  return (request) => onRequest(scrub(request as never))
}

/** Emits the start, runs the turn, then runs `finally` and emits the end. */
const execute = (
  pipeline: Pipeline,
  inputs: JsonObject,
  state: RunState,
  epoch: number,
  session: Session | undefined,
  { by, prompts }: Pick<RunOptions, "by" | "prompts">,
) => {
  const started: Built<"RunStarted"> = {
    type: "RunStarted",
    run: state.run,
    workflow: pipeline.name,
    inputs,
  }
  if (session !== undefined) started.session = session.binding.session
  state.emit(started)
  if (epoch > 1) state.emit({ type: "RunResumed", epoch, ...(by === undefined ? {} : { by }) })
  else reportLists(pipeline, state)
  state.enroll(pipeline)
  const isResumed = epoch > 1 || state.cancellation?.replays === true
  const frame = openFrame(state, pipeline, inputs, "", [])
  const close = () => {
    session?.close()
    state.close()
    return undefined
  }
  const ended = (exit: Exit.Exit<JsonObject, StageFailed>) => {
    const end = startNow(() => runFinally(pipeline, frame, session, exit))
    if (!Exit.isExit(end)) return Effect.onExitPrimitive(end, close)
    close()
    return end
  }
  return Effect.uninterruptibleMask((restore) =>
    Effect.matchCauseEffect(
      restore(
        within(
          state.cancellation,
          fitting(
            state.cassette,
            !isResumed && prompts === undefined
              ? startNow(() => turn(pipeline, frame, session))
              : Effect.andThen(
                  pinPrompts(pipeline, state, isResumed ? undefined : prompts),
                  Effect.suspend(() => turn(pipeline, frame, session)),
                ),
          ),
        ),
      ),
      {
        onSuccess: (outputs) => ended(Exit.succeed(outputs)),
        onFailure: (cause) => ended(Exit.failCause(cause)),
      },
    ),
  )
}

const workOf = (pipeline: Pipeline, frame: Frame): Effect.Effect<JsonObject, StageFailed> => {
  const { failure } = frame.state
  const stages = runWorkflow(pipeline, frame)
  const whole = failure === undefined ? stages : Effect.raceFirst(stages, failure)
  if (pipeline.early.length === 0) return whole
  const early = new EarlyOutputs(frame)
  frame.state.early = early
  return Effect.andThen(early.start, whole)
}

/** Runs the workflow; as a turn of a session, opens the session before and stores the turn after. */
const turn = (
  pipeline: Pipeline,
  frame: Frame,
  session: Session | undefined,
): Effect.Effect<JsonObject, StageFailed> =>
  session === undefined
    ? corrected(pipeline, frame, undefined)
    : Effect.andThen(
        session.open(frame),
        Effect.suspend(() =>
          Effect.tap(corrected(pipeline, frame, session), () => session.remember(frame)),
        ),
      )

/** Runs the workflow, and reviews of its outputs after that. */
const corrected = (
  pipeline: Pipeline,
  frame: Frame,
  session: Session | undefined,
): Effect.Effect<JsonObject, StageFailed> => {
  const work = keepRunFailure(pipeline, frame, workOf(pipeline, frame))
  if (pipeline.reviewed.length === 0) return work
  return Effect.flatMap(work, (outputs) => {
    frame.state.cancellation?.review()
    const correct = Effect.flatMap(correctionsModule(), ({ correctOutputs }) =>
      correctOutputs(frame, outputs, nested),
    )
    return session === undefined
      ? correct
      : Effect.andThen(session.holdNext(frame.state.run), correct)
  })
}
