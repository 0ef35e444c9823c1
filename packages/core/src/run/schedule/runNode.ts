/** One stage of a block: skip it or do it, tell it, judge it, and obey what the workflow says when it fails. */
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
} from "@planloom/plugin"
import type { Node, NodeAssertion } from "../../pipeline/Pipeline.ts"
import { clarify } from "../stage/clarify.ts"
import { runForEach } from "./runForEach.ts"
import {
  leaving,
  misfitOf,
  occurrence,
  runFallback,
  started,
  tellFailed,
  tellFinished,
  unlessInterrupted,
  type Place,
} from "../stage/place.ts"
import type { Frame } from "../RunState.ts"
import { sectionValues } from "../stage/sectionValues.ts"
import { evaluated } from "../stage/runKind.ts"
import type { NestedRunner } from "./NestedRunner.ts"
import { suspensionIn } from "../stage/suspension.ts"

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
  readonly nested: NestedRunner
  readonly rerunsOf: (assertion: NodeAssertion) => number
}

/** What a stage leaves its block with when it has not failed: nothing, where to go back to, or open questions. */
export type Left = Refused | Suspended | undefined

const noAnswers: ReadonlyArray<Clarified> = []

export const runNode = (given: NodeRun): Effect.Effect<Left, StageFailed> =>
  Effect.suspend(() => {
    const { feedback, node, round } = given
    const frame = feedback === undefined ? given.frame : told(given.frame, feedback)
    const path = `${frame.prefix}${node.id}${round > 1 ? `~${round}` : ""}`
    return node.sections.length === 0
      ? runAt(given, frame, path)
      : Effect.flatMap(sectionValues(node.sections, frame, path), (values) =>
          runAt(given, { ...frame, scope: { ...frame.scope, ...values } }, path),
        )
  })

const runAt = (given: NodeRun, frame: Frame, path: string): Effect.Effect<Left, StageFailed> =>
  Effect.suspend(() => {
    const { feedback, nested, node } = given
    const { state, scope } = frame
    const place: Place = {
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
      const holds = evaluated(node.condition.evaluate, scope)
      if (holds instanceof StageFailed) return failed(place, holds)
      if (holds !== true) {
        scope.stages[node.id] = { outcome: "skipped" }
        state.emit({ type: "StageSkipped", path, stage: node.id, reason: node.condition.source })
        return Effect.undefined
      }
    }
    started(place)
    return settled(given, place, node.forEach === undefined ? occurrence(place) : runForEach(place))
  })

/** Takes the work's end as the workflow says; with an answer to its question it is done again. */
const settled = (
  given: NodeRun,
  place: Place,
  work: Effect.Effect<Json, Failure>,
): Effect.Effect<Left, StageFailed> => {
  const { node } = place
  return Effect.matchCauseEffect(work, {
    onSuccess: (output) => {
      const wrong = node.forEach === undefined ? misfitOf(place, output) : undefined
      if (wrong !== undefined) return failed(place, wrong)
      finished(place, output)
      return node.assertions.length === 0 ? Effect.undefined : judged(given, place, output)
    },
    onFailure: (cause) =>
      unlessSuspended(cause, (failure) => {
        const again = clarify(place, failure)
        return again === undefined ? failed(place, failure) : settled(given, place, again)
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

const told = (frame: Frame, feedback: Feedback): Frame => ({
  ...frame,
  scope: { ...frame.scope, rerun: { count: feedback.count, message: feedback.message } },
})

const finished = (place: Place, output: Json): void => {
  const { frame, node } = place
  frame.scope.stages[node.id] = { output, outcome: "success" }
  tellFinished(place, output)
}

const failed = (place: Place, failure: FailureRecord): Effect.Effect<Left, StageFailed> => {
  const { frame, node } = place
  tellFailed(place, failure)
  switch (node.onError) {
    case "fail":
      return Effect.fail(leaving(place, failure))
    case "continue":
      frame.scope.stages[node.id] = {
        outcome: "failure",
        error: { class: failure.class, message: failure.message },
      }
      return Effect.undefined
    case "fallback":
      return Effect.matchCauseEffect(runFallback(place), {
        onSuccess: (output) => {
          finished(place, output)
          return Effect.undefined
        },
        onFailure: (cause) => unlessSuspended(cause, (again) => Effect.fail(leaving(place, again))),
      })
  }
}

/** Judges a finished stage. The first assertion that does not hold decides. */
const judged = (given: NodeRun, place: Place, output: Json): Effect.Effect<Left, StageFailed> => {
  const { frame, node, path } = place
  for (const assertion of node.assertions) {
    const holds = evaluated(assertion.that.evaluate, frame.scope)
    if (holds === true) continue
    if (holds instanceof StageFailed) return failed(place, holds)
    const message = messageOf(assertion, frame)
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
    return goesBack
      ? Effect.succeed({
          assertion,
          target: rerun.node,
          feedback: { stage: node.id, message, output, count },
        })
      : failed(place, { class: "assertion", message, detail: output })
  }
  return Effect.undefined
}

const messageOf = ({ message, source }: NodeAssertion, { scope }: Frame): string => {
  if (message === undefined) return `"${source}" does not hold`
  const said = evaluated(message.evaluate, scope)
  return said instanceof StageFailed ? said.message : String(said)
}
