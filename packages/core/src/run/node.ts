/** One stage of a block: skip it or do it, tell it, judge it, and obey what the workflow says when it fails. */
import type * as Cause from "effect/Cause"
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
import { evaluated, failureIn, misfit, runKind, type Occurrence } from "./stage.ts"
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

/** The place of one occurrence, and which strategy it took in the end. */
interface Place {
  readonly node: Node
  readonly frame: Frame
  readonly path: string
  readonly feedback: Feedback | undefined
  readonly inside: Inside
  strategy: Occurrence["strategy"]
  checked: boolean
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

const started = ({ frame, node, path }: Place): void =>
  frame.state.emit({
    type: "StageStarted",
    path,
    stage: node.id,
    uses: node.work.type === "kind" ? node.work.uses : "stages",
  })

const finished = (place: Place, output: Json): void => {
  const { frame, node } = place
  frame.scope.stages[node.id] = { output, outcome: "success" }
  tellFinished(place, output)
}

const tellFinished = ({ frame, node, path, strategy }: Place, output: Json): void => {
  const { state } = frame
  const attempts = state.attemptsOf(path)
  state.emit(
    strategy === undefined
      ? { type: "StageFinished", path, stage: node.id, output, attempts }
      : { type: "StageFinished", path, stage: node.id, output, attempts, strategy },
  )
}

const tellFailed = ({ frame, node, path }: Place, failure: FailureRecord): void =>
  frame.state.emit({
    type: "StageFailed",
    path,
    stage: node.id,
    failure: toFailureRecord(failure),
    attempts: frame.state.attemptsOf(path),
    onError: node.onError,
  })

/** Interruption is nobody's failure: it passes through. */
const unlessInterrupted = <A, E>(
  cause: Cause.Cause<Failure>,
  otherwise: (failure: FailureRecord) => Effect.Effect<A, E>,
): Effect.Effect<A, E> => {
  const failure = failureIn(cause)
  return failure === undefined
    ? (Effect.failCause(cause) as Effect.Effect<never, never>)
    : otherwise(failure)
}

const occurrence = (place: Place): Effect.Effect<Json, Failure> => {
  const { work } = place.node
  return work.type === "kind"
    ? runKind(Object.assign(place, { work }))
    : runInner({ ...place, work })
}

/** A list in, a list out, in order. An item that fails under `on_error: continue` leaves `null`. */
const eachItem = (place: Place): Effect.Effect<Json, Failure> => {
  const { frame, node, path } = place
  const { as, in: source, maxParallel } = node.forEach!
  const items = evaluated(source.evaluate, frame.scope)
  if (items instanceof StageFailed) return Effect.fail(items)
  if (!Array.isArray(items)) {
    return Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: `\`for_each.in\` of "${node.id}" is not a list`,
      }),
    )
  }
  const block = node.work.type === "block"
  return Effect.forEach(
    items as ReadonlyArray<Json>,
    (item, index) => {
      const scope = { ...frame.scope, [as]: item, index }
      return oneItem({
        ...place,
        path: `${path}[${index}]`,
        frame: {
          ...frame,
          scope: block ? { ...scope, stages: { ...frame.scope.stages } } : scope,
        },
      })
    },
    { concurrency: maxParallel },
  )
}

const oneItem = (place: Place): Effect.Effect<Json, Failure> => {
  started(place)
  return Effect.matchCauseEffect(occurrence(place), {
    onSuccess: (output): Effect.Effect<Json, Failure> => {
      const wrong = misfitOf(place, output)
      if (wrong !== undefined) return failedItem(place, wrong)
      tellFinished(place, output)
      return Effect.succeed(output)
    },
    onFailure: (cause) => unlessInterrupted(cause, (failure) => failedItem(place, failure)),
  })
}

const failedItem = (place: Place, failure: FailureRecord): Effect.Effect<Json, Failure> => {
  tellFailed(place, failure)
  switch (place.node.onError) {
    case "continue":
      return Effect.succeed(null)
    case "fallback":
      return Effect.tap(runFallback(place), (output) =>
        Effect.sync(() => tellFinished(place, output)),
      )
    case "fail":
      return Effect.fail(leaving(place, failure))
  }
}

/** Checks an output that no attempt has checked. */
const misfitOf = ({ checked, node }: Place, output: Json): StageFailed | undefined =>
  checked || node.work.type === "block" ? undefined : misfit(node.work, node.id, output)

/** A fallback checks its own output: nothing comes after it. */
const runFallback = (place: Place): Effect.Effect<Json, Failure> => {
  const { node, path } = place
  return runKind({
    ...place,
    node: { ...node, policy: undefined },
    work: node.fallback!,
    path: `${path}/fallback`,
    feedback: undefined,
    checked: true,
  })
}

/** A failure that leaves its stage says where it began. */
const leaving = ({ path }: Place, failure: FailureRecord): StageFailed =>
  new StageFailed({ ...toFailureRecord(failure), stage: failure.stage ?? path })

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
