/** One stage of a block: skip it or do it, tell it, judge it, and obey what the workflow says when it fails. */
import * as Effect from "effect/Effect"
import { StageFailed, type FailureRecord, type Feedback, type Json } from "@planloom/plugin"
import type { Node, NodeAssertion } from "../pipeline/Pipeline.ts"
import { eachItem } from "./items.ts"
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
} from "./place.ts"
import type { Frame } from "./RunState.ts"
import { evaluated } from "./stage.ts"
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
    const { feedback, inside, node, round } = given
    const frame = feedback === undefined ? given.frame : told(given.frame, feedback)
    const { state, scope } = frame
    const path = `${frame.prefix}${node.id}${round > 1 ? `~${round}` : ""}`
    const place: Place = {
      node,
      frame,
      path,
      feedback,
      inside,
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
    return Effect.matchCauseEffect(
      node.forEach === undefined ? occurrence(place) : eachItem(place),
      {
        onSuccess: (output) => {
          const wrong = node.forEach === undefined ? misfitOf(place, output) : undefined
          if (wrong !== undefined) return failed(place, wrong)
          finished(place, output)
          return node.assertions.length === 0 ? Effect.undefined : judged(given, place, output)
        },
        onFailure: (cause) => unlessInterrupted(cause, (failure) => failed(place, failure)),
      },
    )
  })

const told = (frame: Frame, feedback: Feedback): Frame => ({
  ...frame,
  scope: { ...frame.scope, rerun: { count: feedback.count, message: feedback.message } },
})

const finished = (place: Place, output: Json): void => {
  const { frame, node } = place
  frame.scope.stages[node.id] = { output, outcome: "success" }
  tellFinished(place, output)
}

const failed = (place: Place, failure: FailureRecord): Effect.Effect<undefined, StageFailed> => {
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
        onFailure: (cause) =>
          unlessInterrupted(cause, (again) => Effect.fail(leaving(place, again))),
      })
  }
}

/** Judges a finished stage. The first assertion that does not hold decides. */
const judged = (
  given: NodeRun,
  place: Place,
  output: Json,
): Effect.Effect<Refused | undefined, StageFailed> => {
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
