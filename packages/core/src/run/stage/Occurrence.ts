/** One occurrence of a stage: where it runs, how far it has come, and the events that it emits. */
import {
  StageFailed,
  toFailureRecord,
  type Clarified,
  type FailureRecord,
  type Feedback,
  type Json,
} from "@planloom/plugin/effect"
import type { KindWork, Node } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"
import type { NestedRunner } from "../schedule/NestedRunner.ts"

export interface Occurrence {
  readonly node: Node
  readonly frame: Frame
  readonly path: string
  readonly feedback: Feedback | undefined
  /** Why the stage runs by the rules of its kind although it has a model. */
  readonly withoutModel: FailureRecord | undefined
  readonly nested: NestedRunner
  /** Answers to the questions that its work has ended in so far. */
  answers: ReadonlyArray<Clarified>
  /** A question was put and no answer was available. */
  unanswered: boolean
  /** The strategy that was used last; undefined for a kind that has one way only. */
  strategy: "model" | "mechanical" | undefined
  /**
   * Whether an attempt checks its own output, because a retry or another strategy may follow a mismatch.
   * Otherwise the scheduler checks it, which saves a step.
   */
  checked: boolean
}

/** An occurrence whose work is a stage kind rather than a block. */
export interface KindOccurrence extends Occurrence {
  readonly node: Node & { readonly work: KindWork }
}

export const isKindOccurrence = (occurrence: Occurrence): occurrence is KindOccurrence =>
  occurrence.node.work.type === "kind"

// The frequent events have room for what `emit` sets: properties that are added later take a second object.

/** `follows`: another stage has finished at this moment. */
export const emitStarted = ({ frame, node, path }: Occurrence, follows: boolean): void =>
  frame.state.emit(
    {
      type: "StageStarted",
      seq: 0,
      at: 0,
      path,
      stage: node.id,
      uses: node.work.type === "kind" ? node.work.uses : "stages",
    },
    follows,
  )

export const emitFinished = ({ frame, node, path, strategy }: Occurrence, output: Json): void => {
  const { state } = frame
  const { id: stage } = node
  const attempts = state.attemptsOf(path)
  state.emit(
    strategy === undefined
      ? { type: "StageFinished", seq: 0, at: 0, path, stage, output, attempts }
      : { type: "StageFinished", seq: 0, at: 0, path, stage, output, attempts, strategy },
  )
}

export const emitFailed = ({ frame, node, path }: Occurrence, failure: FailureRecord): void =>
  frame.state.emit({
    type: "StageFailed",
    path,
    stage: node.id,
    failure: toFailureRecord(failure),
    attempts: frame.state.attemptsOf(path),
    onError: node.onError,
  })

/** The failure as it leaves the stage: it names the innermost occurrence that failed. */
export const leavingFailure = ({ path }: Occurrence, failure: FailureRecord): StageFailed =>
  new StageFailed({ ...toFailureRecord(failure), stage: failure.stage ?? path })
