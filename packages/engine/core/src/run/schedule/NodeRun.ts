/** Runs one stage of a block: condition, work, assertions, and `on_error` when it fails. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Failure,
  type FailureRecord,
  type Feedback,
  type Json,
  type Suspended,
} from "@planloom/plugin/effect"
import { occurrenceAt } from "@planloom/plugin/segments"
import type { TimeLimit } from "../../model/limit/TimeLimit.ts"
import type { Node } from "../../pipeline/Pipeline.ts"
import { clarify } from "../stage/clarify.ts"
import { runForEach } from "./runForEach.ts"
import {
  emitFailed,
  emitFinished,
  emitStarted,
  leavingFailure,
  Occurrence,
} from "../stage/Occurrence.ts"
import { failedAssertion, type Refused, type RerunCounts } from "./failedAssertion.ts"
import { retryFirst } from "../stage/runKind.ts"
import { runFallback, runOccurrence, uncheckedMismatch } from "../stage/runOccurrence.ts"
import { unlessInterrupted } from "../stage/failureIn.ts"
import type { Frame } from "../Frame.ts"
import type { StageError } from "../RunScope.ts"
import { sectionValues } from "../stage/sectionValues.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import type { NestedRunner } from "./NestedRunner.ts"
import { suspensionIn } from "../stage/suspension.ts"
import { mayQuote } from "../shown/showing.ts"
import { quotable } from "../shown/quotable.ts"

/** How a stage that has not failed leaves its block: done, with a rerun request, or suspended. */
export type Left = Refused | Suspended | undefined

/** One run of a stage of a block, whose outcome reaches it from outside. */
export class NodeRun extends Occurrence {
  declare private readonly reruns: RerunCounts
  /** False while the values of the stage's sections are made. */
  declare private isStarted: boolean
  declare private isSkipped: boolean

  /** `round` is 1, or more after reruns; `refused` is what the last round ended in. */
  constructor(
    node: Node,
    frame: Frame,
    nested: NestedRunner,
    reruns: RerunCounts,
    round: number,
    refused: Refused | undefined,
  ) {
    super(
      node,
      refused === undefined ? frame : withFeedback(frame, refused.feedback),
      occurrenceAt(frame.prefix, node.id, round),
      nested,
      refused?.feedback,
      refused?.withoutModel,
    )
    this.reruns = reruns
    this.isStarted = false
    this.isSkipped = false
  }

  /** The stage from its start to its end. */
  get whole(): Effect.Effect<Left, StageFailed> {
    return Effect.suspend(() => this.settled(this.start(false, undefined)))
  }

  /**
   * Starts the stage before it returns; `succeeded` or `failed` takes the outcome. A stage of a loop with a time limit
   * may begin the limit.
   */
  start(follows: boolean, limit: TimeLimit | undefined): Effect.Effect<Json, Failure> {
    const { sections } = this.node
    return sections.length === 0
      ? this.startAt(follows, limit)
      : Effect.flatMap(sectionValues(sections, this.frame, this.path), (values) => {
          this.frame = { ...this.frame, scope: { ...this.frame.scope, ...values } }
          return this.startAt(false, limit)
        })
  }

  private startAt(follows: boolean, limit: TimeLimit | undefined): Effect.Effect<Json, Failure> {
    const { node } = this
    this.isStarted = true
    if (node.condition !== undefined) {
      const { scope, state } = this.frame
      const holds = tryEvaluate(node.condition.evaluate, scope)
      if (holds instanceof StageFailed) return Effect.fail(holds)
      if (holds !== true) {
        const { path } = this
        this.isSkipped = true
        scope.stages[node.id] = { outcome: "skipped" }
        state.emit({ type: "StageSkipped", path, stage: node.id, reason: node.condition.source })
        return Effect.succeed(null)
      }
    }
    emitStarted(this, follows)
    return node.forEach === undefined ? runOccurrence(this, limit) : runForEach(this)
  }

  /** Undefined when the stage is done. */
  succeeded(output: Json): Effect.Effect<Left, StageFailed> | undefined {
    if (this.isSkipped) return undefined
    const { node } = this
    const wrong = node.forEach === undefined ? uncheckedMismatch(this, output) : undefined
    if (wrong !== undefined) return this.failedBy(wrong)
    finished(this, output)
    if (node.assertions.length === 0) return undefined
    const refused = failedAssertion(this, this.reruns, output)
    if (refused === undefined) return undefined
    return "target" in refused ? Effect.succeed(refused) : failed(this, refused)
  }

  failed(cause: Cause.Cause<Failure>): Effect.Effect<Left, StageFailed> {
    if (!this.isStarted) return Effect.failCause(cause as Cause.Cause<StageFailed>)
    const again = this.retries && retryFirst(this, cause)
    if (again !== undefined) return this.settled(again)
    return unlessSuspended(cause, (given) =>
      mayQuote(this.frame, this.node.id)
        ? Effect.flatMap(quotable(this, given), (failure) => this.asked(failure))
        : this.asked(given),
    )
  }

  /** Puts the question in which the stage has ended, or leaves the stage with its failure. */
  private asked(failure: FailureRecord): Effect.Effect<Left, StageFailed> {
    const answered = clarify(this, failure)
    return answered === undefined ? failed(this, failure) : this.settled(answered)
  }

  private failedBy(failure: StageFailed): Effect.Effect<Left, StageFailed> {
    return this.retries === undefined && !mayQuote(this.frame, this.node.id)
      ? failed(this, failure)
      : this.failed(Cause.fail(failure))
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
  scope: {
    ...frame.scope,
    rerun: { count: feedback.count, message: feedback.message, output: feedback.output },
  },
})

/** `after`: the failure that the fallback followed. */
const finished = (occurrence: Occurrence, output: Json, after?: FailureRecord): void => {
  const { frame, node } = occurrence
  frame.scope.stages[node.id] =
    after === undefined
      ? { output, outcome: "success" }
      : { output, outcome: "success", error: errorOf(after) }
  emitFinished(occurrence, output)
}

const errorOf = ({ class: reason, message }: FailureRecord): StageError => ({
  class: reason,
  message,
})

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
        error: errorOf(failure),
      }
      return Effect.undefined
    case "fallback":
      return Effect.matchCauseEffect(runFallback(occurrence), {
        onSuccess: (output) => {
          finished(occurrence, output, failure)
          return Effect.undefined
        },
        onFailure: (cause) =>
          unlessSuspended(cause, (again) =>
            Effect.flatMap(quotable(occurrence, again), (last) =>
              Effect.fail(leavingFailure(occurrence, last)),
            ),
          ),
      })
  }
}
