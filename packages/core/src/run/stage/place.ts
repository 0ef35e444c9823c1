/** One occurrence in its place: its work, what is told of it, and how a failure leaves it. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Clarified,
  type Failure,
  type FailureRecord,
  type Json,
} from "@planloom/plugin"
import { runStages } from "../schedule/runStages.ts"
import type { SessionOf } from "./SessionOf.ts"
import { failureIn, misfit, runKind, type Occurrence } from "./runKind.ts"

/** The place of one occurrence, and which strategy it took in the end. */
export interface Place extends Omit<SessionOf, "work" | "answers" | "strategy"> {
  /** To the questions its work has ended in so far. */
  answers: ReadonlyArray<Clarified>
  /** Somebody was asked and could not say. */
  unanswered: boolean
  strategy: Occurrence["strategy"]
  checked: boolean
}

export const started = ({ frame, node, path }: Place): void =>
  frame.state.emit({
    type: "StageStarted",
    path,
    stage: node.id,
    uses: node.work.type === "kind" ? node.work.uses : "stages",
  })

export const tellFinished = ({ frame, node, path, strategy }: Place, output: Json): void => {
  const { state } = frame
  const attempts = state.attemptsOf(path)
  state.emit(
    strategy === undefined
      ? { type: "StageFinished", path, stage: node.id, output, attempts }
      : { type: "StageFinished", path, stage: node.id, output, attempts, strategy },
  )
}

export const tellFailed = ({ frame, node, path }: Place, failure: FailureRecord): void =>
  frame.state.emit({
    type: "StageFailed",
    path,
    stage: node.id,
    failure: toFailureRecord(failure),
    attempts: frame.state.attemptsOf(path),
    onError: node.onError,
  })

/** Interruption and suspension are nobody's failure: they pass through. */
export const unlessInterrupted = <A, E>(
  cause: Cause.Cause<Failure>,
  otherwise: (failure: FailureRecord) => Effect.Effect<A, E>,
): Effect.Effect<A, E> => {
  const failure = failureIn(cause)
  return failure === undefined
    ? (Effect.failCause(cause) as Effect.Effect<never, never>)
    : otherwise(failure)
}

export const occurrence = (place: Place): Effect.Effect<Json, Failure> => {
  const { work } = place.node
  return work.type === "kind"
    ? runKind(Object.assign(place, { work }))
    : runStages({ ...place, work })
}

/** Checks an output that no attempt has checked. */
export const misfitOf = ({ checked, node }: Place, output: Json): StageFailed | undefined =>
  checked || node.work.type === "block" ? undefined : misfit(node.work, node.id, output)

/** A fallback checks its own output: nothing comes after it. */
export const runFallback = (place: Place): Effect.Effect<Json, Failure> => {
  const { node, path } = place
  return runKind({
    ...place,
    node: { ...node, policy: undefined },
    work: node.fallback!,
    path: `${path}/fallback`,
    feedback: undefined,
    answers: [],
    checked: true,
  })
}

/** A failure that leaves its stage says where it began. */
export const leaving = ({ path }: Place, failure: FailureRecord): StageFailed =>
  new StageFailed({ ...toFailureRecord(failure), stage: failure.stage ?? path })
