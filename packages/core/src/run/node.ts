/** One stage of a block: skip it or do it, tell it, judge it, and obey what the workflow says when it fails. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type Feedback,
  type Json,
} from "@planloom/plugin"
import type { Node, NodeAssertion } from "../pipeline/Pipeline.ts"
import { runInner } from "./inner.ts"
import type { Frame } from "./RunState.ts"
import { evaluated, failureIn, runKind, type Done } from "./stage.ts"
import type { Inside } from "./StageSession.ts"

/** An assertion that does not hold and sends the run back. */
export interface Refused {
  readonly assertion: NodeAssertion
  /** Index of the node to run again. */
  readonly target: number
  readonly feedback: Feedback
}

export interface NodeRun {
  readonly node: Node
  readonly frame: Frame
  /** 1, or more after reruns. */
  readonly round: number
  readonly feedback: Feedback | undefined
  readonly inside: Inside
  readonly rerunsOf: (assertion: NodeAssertion) => number
}

export const runNode = (given: NodeRun): Effect.Effect<Refused | undefined, StageFailed> =>
  Effect.suspend(() => {
    const { node, round } = given
    const frame = given.feedback === undefined ? given.frame : told(given.frame, given.feedback)
    const path = frame.prefix + node.id + (round > 1 ? `~${round}` : "")
    const { state, scope } = frame
    if (node.condition !== undefined) {
      const holds = evaluated(() => node.condition!.evaluate(scope))
      if (holds instanceof StageFailed) return failed(given, path, holds, 0)
      if (holds !== true) {
        scope.stages[node.id] = { outcome: "skipped" }
        state.emit({ type: "StageSkipped", path, stage: node.id, reason: node.condition.source })
        return Effect.undefined
      }
    }
    state.emit({
      type: "StageStarted",
      path,
      stage: node.id,
      uses: node.work.type === "kind" ? node.work.uses : "stages",
    })
    return Effect.matchCauseEffect(workOf(given, frame, path), {
      onSuccess: (done) => {
        finished(given, frame, path, done)
        return node.assertions.length === 0 ? Effect.undefined : judged(given, frame, path, done)
      },
      onFailure: (cause) => {
        const failure = failureIn(cause)
        return failure === undefined
          ? (Effect.failCause(cause) as Effect.Effect<never, never>)
          : failed(given, path, failure, state.attemptsOf(path))
      },
    })
  })

const told = (frame: Frame, feedback: Feedback): Frame => ({
  ...frame,
  scope: { ...frame.scope, rerun: { count: feedback.count, message: feedback.message } },
})

const finished = (given: NodeRun, frame: Frame, path: string, done: Done): void => {
  const { node } = given
  frame.scope.stages[node.id] = { output: done.output, outcome: "success" }
  frame.state.emit({
    type: "StageFinished",
    path,
    stage: node.id,
    output: done.output,
    attempts: done.attempts,
    ...(done.strategy === undefined ? {} : { strategy: done.strategy }),
  })
}

const workOf = (given: NodeRun, frame: Frame, path: string): Effect.Effect<Done, Failure> => {
  const { node } = given
  if (node.forEach !== undefined) return eachItem(given, frame, path)
  return oneOccurrence(given, frame, path)
}

const oneOccurrence = (
  given: NodeRun,
  frame: Frame,
  path: string,
): Effect.Effect<Done, Failure> => {
  const { feedback, inside, node } = given
  return node.work.type === "kind"
    ? runKind({ node, work: node.work, frame, path, feedback, inside })
    : runInner({ node, work: node.work, frame, path, inside })
}

/** A list in, a list out, in order. An item that fails under `on_error: continue` leaves `null`. */
const eachItem = (given: NodeRun, frame: Frame, path: string): Effect.Effect<Done, Failure> =>
  Effect.suspend(() => {
    const { node } = given
    const { as, in: source, maxParallel } = node.forEach!
    const items = evaluated(() => source.evaluate(frame.scope))
    if (items instanceof StageFailed) return Effect.fail(items)
    if (!Array.isArray(items)) {
      return Effect.fail(
        new StageFailed({
          class: "invalid_request",
          message: `\`for_each.in\` of "${node.id}" is not a list`,
        }),
      )
    }
    return Effect.map(
      Effect.forEach(
        items as ReadonlyArray<Json>,
        (item, index) =>
          oneItem(
            given,
            {
              ...frame,
              scope: { ...frame.scope, stages: { ...frame.scope.stages }, [as]: item, index },
            },
            `${path}[${index}]`,
          ),
        { concurrency: maxParallel },
      ),
      (output): Done => ({ output, attempts: 1, strategy: undefined }),
    )
  })

const oneItem = (given: NodeRun, frame: Frame, path: string): Effect.Effect<Json, Failure> => {
  const { node } = given
  const { state } = frame
  state.emit({
    type: "StageStarted",
    path,
    stage: node.id,
    uses: node.work.type === "kind" ? node.work.uses : "stages",
  })
  return Effect.matchCauseEffect(oneOccurrence(given, frame, path), {
    onSuccess: (done) => {
      finished(given, frame, path, done)
      return Effect.succeed(done.output)
    },
    onFailure: (cause): Effect.Effect<Json, Failure> => {
      const failure = failureIn(cause)
      if (failure === undefined) return Effect.failCause(cause) as Effect.Effect<never, never>
      state.emit({
        type: "StageFailed",
        path,
        stage: node.id,
        failure,
        attempts: state.attemptsOf(path),
        onError: node.onError,
      })
      if (node.onError === "continue") return Effect.succeed(null)
      if (node.onError === "fallback") {
        return Effect.map(runFallback(given, frame, path), (done) => {
          finished(given, frame, path, done)
          return done.output
        })
      }
      return Effect.fail(new StageFailed({ ...failure, stage: failure.stage ?? path }))
    },
  })
}

const runFallback = (given: NodeRun, frame: Frame, path: string): Effect.Effect<Done, Failure> =>
  runKind({
    node: { ...given.node, policy: undefined },
    work: given.node.fallback!,
    frame,
    path: `${path}/fallback`,
    feedback: undefined,
    inside: given.inside,
  })

const failed = (
  given: NodeRun,
  path: string,
  failure: FailureRecord,
  attempts: number,
): Effect.Effect<undefined, StageFailed> => {
  const { frame, node } = given
  const record = toFailureRecord(failure)
  frame.state.emit({
    type: "StageFailed",
    path,
    stage: node.id,
    failure: record,
    attempts,
    onError: node.onError,
  })
  const fail = (why: FailureRecord) =>
    Effect.fail(new StageFailed({ ...toFailureRecord(why), stage: why.stage ?? path }))
  switch (node.onError) {
    case "fail":
      return fail(record)
    case "continue":
      frame.scope.stages[node.id] = {
        outcome: "failure",
        error: { class: record.class, message: record.message },
      }
      return Effect.undefined
    case "fallback":
      return Effect.matchCauseEffect(runFallback(given, frame, path), {
        onSuccess: (done) => {
          finished(given, frame, path, done)
          return Effect.undefined
        },
        onFailure: (cause) => {
          const again = failureIn(cause)
          return again === undefined
            ? (Effect.failCause(cause) as Effect.Effect<never, never>)
            : fail(again)
        },
      })
  }
}

/** Judges a finished stage. The first assertion that does not hold decides. */
const judged = (
  given: NodeRun,
  frame: Frame,
  path: string,
  done: Done,
): Effect.Effect<Refused | undefined, StageFailed> => {
  const { node } = given
  for (const assertion of node.assertions) {
    const holds = evaluated(() => assertion.that.evaluate(frame.scope))
    if (holds === true) continue
    if (holds instanceof StageFailed) return failed(given, path, holds, done.attempts)
    const said = evaluated(() =>
      assertion.message === undefined
        ? `"${assertion.source}" does not hold`
        : String(assertion.message.evaluate(frame.scope)),
    )
    const message = said instanceof StageFailed ? said.message : said
    const { rerun } = assertion
    const count = given.rerunsOf(assertion) + 1
    const goesBack = rerun !== undefined && count <= rerun.max
    frame.state.emit({
      type: "AssertionFailed",
      path,
      stage: node.id,
      that: assertion.source,
      message,
      ...(goesBack ? { rerun: { stage: rerun.id, count, max: rerun.max } } : {}),
    })
    if (goesBack) {
      return Effect.succeed({
        assertion,
        target: rerun.node,
        feedback: { stage: node.id, message, output: done.output, count },
      })
    }
    return failed(given, path, { class: "assertion", message, detail: done.output }, done.attempts)
  }
  return Effect.undefined
}
