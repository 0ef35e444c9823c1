/** One occurrence of a stage: where it runs, how far it has come, and the events that it emits. */
import {
  StageFailed,
  toFailureRecord,
  type Clarified,
  type FailureRecord,
  type Feedback,
  type Json,
  type Strategy,
} from "@planloom/plugin/effect"
import { Ledger } from "../../model/limit/Ledger.ts"
import type { CallsOfStage } from "../../tool/identity/CallsOfStage.ts"
import type { KindWork, Node } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"
import type { NestedRunner } from "../schedule/NestedRunner.ts"

const noAnswers: ReadonlyArray<Clarified> = []

// V8 makes an object of a derived class twice as fast when only its constructors set the fields.

export class Occurrence {
  declare readonly node: Node
  declare frame: Frame
  declare readonly path: string
  declare readonly nested: NestedRunner
  declare readonly feedback: Feedback | undefined
  /** Why the stage runs by the rules of its kind although it has a model. */
  declare readonly withoutModel: FailureRecord | undefined
  /** Answers to the questions that its work has ended in so far. */
  declare answers: ReadonlyArray<Clarified>
  /** A question was put and no answer was available. */
  declare unanswered: boolean
  /** The strategy that was used last; undefined for a kind that has one way only. */
  declare strategy: "model" | "mechanical" | undefined
  /**
   * Whether an attempt checks its own output, because a retry or another strategy may follow a mismatch.
   * Otherwise the scheduler checks it, which saves a step.
   */
  declare checked: boolean
  /** What a retry of the first attempt runs, while its failure reaches the scheduler before the retry policy. */
  declare retries: Strategy | undefined
  /** Tool calls of its attempts, with their results. */
  declare toolCalls: CallsOfStage | undefined
  declare private ledgers: ReadonlyArray<Ledger> | undefined

  constructor(
    node: Node,
    frame: Frame,
    path: string,
    nested: NestedRunner,
    feedback: Feedback | undefined,
    withoutModel: FailureRecord | undefined,
  ) {
    this.node = node
    this.frame = frame
    this.path = path
    this.nested = nested
    this.feedback = feedback
    this.withoutModel = withoutModel
    this.answers = noAnswers
    this.unanswered = false
    this.strategy = undefined
    this.checked = false
    this.retries = undefined
    this.toolCalls = undefined
    this.ledgers = undefined
  }

  /** Budgets in force. The stage's own one is made with the first call that it counts. */
  get budgets(): ReadonlyArray<Ledger> {
    return (this.ledgers ??= ledgersOf(this))
  }

  /** Begins the stage's own budget anew. */
  resetBudget(): void {
    this.ledgers = undefined
  }
}

const ledgersOf = ({ frame, node }: Occurrence): ReadonlyArray<Ledger> => {
  const budget = node.policy?.budget
  return budget === undefined
    ? frame.budgets
    : [...frame.budgets, new Ledger(budget, `stage "${node.id}"`)]
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
    follows ? frame.state.emittedAt : undefined,
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
