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
  /** Why the target runs without its model; undefined if it may ask it. */
  readonly withoutModel: FailureRecord | undefined
}

/** A stage about to run. */
export interface NodeStart {
  readonly node: Node
  readonly frame: Frame
  /** 1, or more after reruns. */
  readonly round: number
  readonly feedback: Feedback | undefined
  readonly withoutModel: FailureRecord | undefined
  readonly nested: NestedRunner
  readonly rounds: {
    rerunsOf(assertion: NodeAssertion): number
    /** The stage at an index of the block. */
    nodeAt(index: number): Node
  }
}

/** How a stage that has not failed leaves its block: done, with a rerun request, or suspended. */
export type Left = Refused | Suspended | undefined

const noAnswers: ReadonlyArray<Clarified> = []

/** One run of a stage, whose outcome reaches it from outside. */
export class NodeRun {
  private readonly given: NodeStart
  /** Undefined while the values of the stage's sections are made. */
  private occurrence: Occurrence | undefined
  private isSkipped = false

  constructor(given: NodeStart) {
    this.given = given
  }

  /** The stage from its start to its end. */
  get whole(): Effect.Effect<Left, StageFailed> {
    return Effect.suspend(() => this.settled(this.start(false)))
  }

  /** Starts the stage before it returns; `succeeded` or `failed` takes the outcome. */
  start(follows: boolean): Effect.Effect<Json, Failure> {
    const { feedback, frame: outer, node, round } = this.given
    const frame = feedback === undefined ? outer : withFeedback(outer, feedback)
    const path = `${frame.prefix}${node.id}${round > 1 ? `~${round}` : ""}`
    return node.sections.length === 0
      ? this.startAt(frame, path, follows)
      : Effect.flatMap(sectionValues(node.sections, frame, path), (values) =>
          this.startAt({ ...frame, scope: { ...frame.scope, ...values } }, path, false),
        )
  }

  private startAt(frame: Frame, path: string, follows: boolean): Effect.Effect<Json, Failure> {
    const { feedback, nested, node, withoutModel } = this.given
    const occurrence: Occurrence = {
      node,
      frame,
      path,
      feedback,
      withoutModel,
      nested,
      answers: noAnswers,
      unanswered: false,
      strategy: undefined,
      checked: false,
    }
    this.occurrence = occurrence
    if (node.condition !== undefined) {
      const { scope, state } = frame
      const holds = tryEvaluate(node.condition.evaluate, scope)
      if (holds instanceof StageFailed) return Effect.fail(holds)
      if (holds !== true) {
        this.isSkipped = true
        scope.stages[node.id] = { outcome: "skipped" }
        state.emit({ type: "StageSkipped", path, stage: node.id, reason: node.condition.source })
        return Effect.succeed(null)
      }
    }
    emitStarted(occurrence, follows)
    return node.forEach === undefined ? runOccurrence(occurrence) : runForEach(occurrence)
  }

  /** Undefined when the stage is done. */
  succeeded(output: Json): Effect.Effect<Left, StageFailed> | undefined {
    if (this.isSkipped) return undefined
    const { given } = this
    const { node } = given
    const occurrence = this.occurrence!
    const wrong = node.forEach === undefined ? uncheckedMismatch(occurrence, output) : undefined
    if (wrong !== undefined) return failed(occurrence, wrong)
    finished(occurrence, output)
    return node.assertions.length === 0 ? undefined : checkAssertions(given, occurrence, output)
  }

  failed(cause: Cause.Cause<Failure>): Effect.Effect<Left, StageFailed> {
    const { occurrence } = this
    if (occurrence === undefined) return Effect.failCause(cause as Cause.Cause<StageFailed>)
    return unlessSuspended(cause, (failure) => {
      const again = clarify(occurrence, failure)
      return again === undefined ? failed(occurrence, failure) : this.settled(again)
    })
  }

  /** Handles the outcome of the work; after an answer to its question the work runs again. */
  private settled(work: Effect.Effect<Json, Failure>): Effect.Effect<Left, StageFailed> {
    return Effect.matchCauseEffect(work, {
      onSuccess: (output) => this.succeeded(output) ?? Effect.undefined,
      onFailure: (cause) => this.failed(cause),
    })
  }
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
  given: NodeStart,
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
    // After the reruns with its model, a stage that has rules runs once by them.
    const byRules =
      rerun !== undefined && count === rerun.max + 1 && fallsBack(given.rounds.nodeAt(rerun.node))
    const goesBack = rerun !== undefined && (count <= rerun.max || byRules)
    frame.state.emit({
      type: "AssertionFailed",
      path,
      stage: node.id,
      that: assertion.source,
      message,
      ...(goesBack ? { rerun: { stage: rerun.id, count, max: Math.max(count, rerun.max) } } : {}),
    })
    return goesBack
      ? Effect.succeed({
          assertion,
          target: rerun.node,
          feedback: { stage: node.id, message, output, count },
          withoutModel: byRules
            ? {
                class: "assertion",
                message: `the check in ${node.id} refused what the model gave: ${message}`,
              }
            : undefined,
        })
      : failed(occurrence, { class: "assertion", message, detail: output })
  }
  return Effect.undefined
}

/** Whether the stage asks a model that may be replaced by the rules of its kind. */
const fallsBack = ({ work }: Node): boolean =>
  work.type === "kind" &&
  work.kind.model !== undefined &&
  work.kind.mechanical !== undefined &&
  work.model !== undefined &&
  work.model.otherwise !== "fail" &&
  work.model.choices.length > 0

const messageOf = ({ message, source }: NodeAssertion, { scope }: Frame): string => {
  if (message === undefined) return `"${source}" does not hold`
  const said = tryEvaluate(message.evaluate, scope)
  return said instanceof StageFailed ? said.message : String(said)
}
