/** Ends a run: runs `finally`, saves the session's turn, emits the last event, returns the result. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  toFailureRecord,
  type FailureRecord,
  type JsonObject,
  type StageFailed,
  type Suspended,
} from "@planloom/plugin/effect"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { afterRun } from "./surroundings/endHooks.ts"
import { runBlock } from "./schedule/runBlock.ts"
import { RunFailed, type RunResult } from "./RunResult.ts"
import type { Frame } from "./Frame.ts"
import type { RunState } from "./RunState.ts"
import type { Session } from "./session/Session.ts"
import { failureIn } from "./stage/failureIn.ts"
import { within } from "./policy/Cancellation.ts"
import { suspensionIn, unanswered } from "./stage/suspension.ts"
import { nested } from "./runWorkflow.ts"

/** A run that waits or was left to another process has not ended: `finally` does not run. */
export const runFinally = (
  pipeline: Pipeline,
  frame: Frame,
  session: Session | undefined,
  exit: Exit.Exit<JsonObject, StageFailed>,
): Effect.Effect<RunResult, RunFailed> => {
  const { cancellation } = frame.state
  if (cancellation?.left === true && Exit.hasInterrupts(exit)) return exit as Exit.Exit<never>
  cancellation?.release()
  const suspended = Exit.isSuccess(exit) ? undefined : suspensionIn(exit.cause)
  if (suspended !== undefined && frame.state.journal.lasting) return suspend(frame, suspended)
  const failure = Exit.isSuccess(exit)
    ? undefined
    : suspended === undefined
      ? failureIn(exit.cause)
      : unanswered(suspended)
  const outcome = Exit.isSuccess(exit) ? "success" : failure === undefined ? "cancelled" : "failure"
  if (pipeline.finally.nodes.length === 0) return emitEnd(frame, session, exit, failure)
  const scope = {
    ...frame.scope,
    outcome,
    ...(failure === undefined ? {} : { error: { class: failure.class, message: failure.message } }),
  }
  const lastly = runBlock(pipeline.finally, { ...frame, scope }, nested, frame.state.endings + 1)
  return Effect.flatMap(
    Effect.exit(within(cancellation?.replays === true ? cancellation : undefined, lastly)),
    (last) => {
      if (Exit.isSuccess(exit) && Exit.isFailure(last)) {
        return emitEnd(frame, session, last, failureIn(last.cause))
      }
      return emitEnd(frame, session, exit, failure)
    },
  )
}

/** Emits the suspension; the run has not ended, so `finally` does not run. */
const suspend = ({ state }: Frame, { waits }: Suspended): Effect.Effect<RunResult> =>
  Effect.sync(() => {
    state.emit({ type: "RunSuspended", waits })
    return state.result()
  })

const emitEnd = (
  frame: Frame,
  session: Session | undefined,
  exit: Exit.Exit<JsonObject | void, StageFailed>,
  failure: FailureRecord | undefined,
): Effect.Effect<RunResult, RunFailed> => {
  const { state } = frame
  if (Exit.isSuccess(exit)) {
    const outputs = exit.value as JsonObject
    return session === undefined
      ? finish(frame, outputs)
      : Effect.matchCauseEffect(session.save(frame), {
          onSuccess: () => finish(frame, outputs),
          onFailure: (cause) => endFailed(frame, failureIn(cause)!, outputs),
        })
  }
  if (failure === undefined) {
    return Effect.flatMap(Effect.exit(afterRun(frame, undefined, "cancelled")), () => {
      state.emit({ type: "RunCancelled", reason: state.cancellation?.reason ?? "interrupted" })
      return Effect.failCause(exit.cause) as Effect.Effect<never, never>
    })
  }
  return endFailed(frame, failure)
}

/** A hook that must not fail fails the run, as a stage under `finally` does. */
const finish = (frame: Frame, outputs: JsonObject): Effect.Effect<RunResult, RunFailed> => {
  const { state } = frame
  return Effect.matchCauseEffectEager(afterRun(frame, undefined, "succeeded", outputs), {
    onSuccess: () => {
      state.emit({ type: "RunFinished", outputs })
      return Effect.succeed(state.result())
    },
    onFailure: (cause) => fail(state, failureIn(cause)!),
  })
}

const endFailed = (
  frame: Frame,
  failure: FailureRecord,
  outputs?: JsonObject,
): Effect.Effect<never, RunFailed> =>
  Effect.flatMap(Effect.exit(afterRun(frame, failure, "failed")), () =>
    fail(frame.state, failure, outputs),
  )

const fail = (
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
