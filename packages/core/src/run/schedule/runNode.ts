/** Runs one stage of a block: condition, work, assertions, and `on_error` when it fails. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Clarified,
  type Failure,
  type FailureRecord,
  type Feedback,
  type Json,
  type Suspended,
} from "@planloom/plugin/effect"
import type { Node, NodeAssertion } from "../../pipeline/Pipeline.ts"
import { clarify } from "../stage/clarify.ts"
import { runForEach } from "./runForEach.ts"
import {
  emitFailed,
  emitFinished,
  emitStarted,
  leavingFailure,
  type Occurrence,
} from "../stage/Occurrence.ts"
import { runFallback, runOccurrence, uncheckedMismatch } from "../stage/runOccurrence.ts"
import { unlessInterrupted } from "../stage/failureIn.ts"
import type { Frame } from "../Frame.ts"
import { sectionValues } from "../stage/sectionValues.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import type { NestedRunner } from "./NestedRunner.ts"
import { suspensionIn } from "../stage/suspension.ts"

/** An assertion that failed and requests a rerun. */
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
  readonly nested: NestedRunner
  readonly rounds: { rerunsOf(assertion: NodeAssertion): number }
}

/** How a stage that has not failed leaves its block: done, with a rerun request, or suspended. */
export type Left = Refused | Suspended | undefined

const noAnswers: ReadonlyArray<Clarified> = []

/** Starts the stage before it returns. */
export const runNode = (given: NodeRun): Effect.Effect<Left, StageFailed> => {
  const { feedback, node, round } = given
  const frame = feedback === undefined ? given.frame : withFeedback(given.frame, feedback)
  const path = `${frame.prefix}${node.id}${round > 1 ? `~${round}` : ""}`
  return node.sections.length === 0
    ? runAt(given, frame, path)
    : Effect.flatMap(sectionValues(node.sections, frame, path), (values) =>
        runAt(given, { ...frame, scope: { ...frame.scope, ...values } }, path),
      )
}

const runAt = (given: NodeRun, frame: Frame, path: string): Effect.Effect<Left, StageFailed> => {
  const { feedback, nested, node } = given
  const { state, scope } = frame
  const occurrence: Occurrence = {
    node,
    frame,
    path,
    feedback,
    nested,
    answers: noAnswers,
    unanswered: false,
    strategy: undefined,
    checked: false,
  }
  if (node.condition !== undefined) {
    const holds = tryEvaluate(node.condition.evaluate, scope)
    if (holds instanceof StageFailed) return failed(occurrence, holds)
    if (holds !== true) {
      scope.stages[node.id] = { outcome: "skipped" }
      state.emit({ type: "StageSkipped", path, stage: node.id, reason: node.condition.source })
      return Effect.undefined
    }
  }
  emitStarted(occurrence)
  return settled(
    given,
    occurrence,
    node.forEach === undefined ? runOccurrence(occurrence) : runForEach(occurrence),
  )
}

/** Handles the outcome of the work; after an answer to its question the work runs again. */
const settled = (
  given: NodeRun,
  occurrence: Occurrence,
  work: Effect.Effect<Json, Failure>,
): Effect.Effect<Left, StageFailed> => {
  const { node } = occurrence
  return Effect.matchCauseEffect(work, {
    onSuccess: (output) => {
      const wrong = node.forEach === undefined ? uncheckedMismatch(occurrence, output) : undefined
      if (wrong !== undefined) return failed(occurrence, wrong)
      finished(occurrence, output)
      return node.assertions.length === 0
        ? Effect.undefined
        : checkAssertions(given, occurrence, output)
    },
    onFailure: (cause) =>
      unlessSuspended(cause, (failure) => {
        const again = clarify(occurrence, failure)
        return again === undefined ? failed(occurrence, failure) : settled(given, occurrence, again)
      }),
  })
}

const unlessSuspended = (
  cause: Cause.Cause<Failure>,
  otherwise: (failure: FailureRecord) => Effect.Effect<Left, StageFailed>,
): Effect.Effect<Left, StageFailed> => {
  const suspended = suspensionIn(cause)
  return suspended === undefined ? unlessInterrupted(cause, otherwise) : Effect.succeed(suspended)
}

const withFeedback = (frame: Frame, feedback: Feedback): Frame => ({
  ...frame,
  scope: { ...frame.scope, rerun: { count: feedback.count, message: feedback.message } },
})

const finished = (occurrence: Occurrence, output: Json): void => {
  const { frame, node } = occurrence
  frame.scope.stages[node.id] = { output, outcome: "success" }
  emitFinished(occurrence, output)
}

const failed = (
  occurrence: Occurrence,
  failure: FailureRecord,
): Effect.Effect<Left, StageFailed> => {
  const { frame, node } = occurrence
  emitFailed(occurrence, failure)
  switch (node.onError) {
    case "fail":
      return Effect.fail(leavingFailure(occurrence, failure))
    case "continue":
      frame.scope.stages[node.id] = {
        outcome: "failure",
        error: { class: failure.class, message: failure.message },
      }
      return Effect.undefined
    case "fallback":
      return Effect.matchCauseEffect(runFallback(occurrence), {
        onSuccess: (output) => {
          finished(occurrence, output)
          return Effect.undefined
        },
        onFailure: (cause) =>
          unlessSuspended(cause, (again) => Effect.fail(leavingFailure(occurrence, again))),
      })
  }
}

/** Checks the assertions of a finished stage; the first one that fails decides. */
const checkAssertions = (
  given: NodeRun,
  occurrence: Occurrence,
  output: Json,
): Effect.Effect<Left, StageFailed> => {
  const { frame, node, path } = occurrence
  for (const assertion of node.assertions) {
    const holds = tryEvaluate(assertion.that.evaluate, frame.scope)
    if (holds === true) continue
    if (holds instanceof StageFailed) return failed(occurrence, holds)
    const message = messageOf(assertion, frame)
    const { rerun } = assertion
    const count = given.rounds.rerunsOf(assertion) + 1
    const goesBack = rerun !== undefined && count <= rerun.max
    frame.state.emit({
      type: "AssertionFailed",
      path,
      stage: node.id,
      that: assertion.source,
      message,
      ...(goesBack ? { rerun: { stage: rerun.id, count, max: rerun.max } } : {}),
    })
    return goesBack
      ? Effect.succeed({
          assertion,
          target: rerun.node,
          feedback: { stage: node.id, message, output, count },
        })
      : failed(occurrence, { class: "assertion", message, detail: output })
  }
  return Effect.undefined
}

const messageOf = ({ message, source }: NodeAssertion, { scope }: Frame): string => {
  if (message === undefined) return `"${source}" does not hold`
  const said = tryEvaluate(message.evaluate, scope)
  return said instanceof StageFailed ? said.message : String(said)
}
