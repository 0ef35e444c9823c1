/** Runs a `repeat`: bounded rounds, the reason of their end, and what a failing round leaves. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type Json,
  type JsonObject,
  type LoopStop,
} from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import { below, isPathWithin, itemAt, prefixOf } from "@planloom/plugin/segments"
import type { Block, NodeRepeat } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"
import type { StageView } from "../RunScope.ts"
import type { Occurrence } from "../stage/Occurrence.ts"
import { keepFailure, viewsOf, type Holding } from "../stage/keepFailure.ts"
import { quotable } from "../shown/quotable.ts"
import { valueOf } from "../stage/tryEvaluate.ts"

/** The end of a loop. `carry` and the views of the stages are those of its last whole round. */
interface LoopEnd {
  readonly carry: JsonObject
  readonly iterations: number
  readonly stopped: LoopStop
  /** Of the round that failed. */
  readonly failure?: FailureRecord
}

/** The record of a loop that ended with its last whole round. */
interface Kept {
  readonly end: LoopEnd
  readonly stages: { readonly [id: string]: StageView }
}

/** A record of a failed attempt has no end. */
const isKept = (value: Json): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "end")

/** One occurrence of a `repeat`. `iter.<name>` starts as `carry` and becomes `next` after every round, the last one included. */
export class Loop {
  private readonly occurrence: Occurrence
  private readonly block: Block
  private readonly repeat: NodeRepeat
  private carry: JsonObject = {}
  /** Rounds that there may be. */
  private most = 0
  /** Whole rounds of the attempt. */
  private iterations = 0
  private end: LoopEnd | undefined
  /** Of the attempt's record. */
  private name = ""

  constructor(occurrence: Occurrence, block: Block, repeat: NodeRepeat) {
    this.occurrence = occurrence
    this.block = block
    this.repeat = repeat
  }

  /** The output of the loop, from its attempts. An end with the last whole round is recorded as the outcome of its attempt. */
  whole(attempts: Effect.Effect<Json, Failure>): Effect.Effect<Json, Failure> {
    const { state } = this.occurrence.frame
    return Effect.flatMap(this.surviving(attempts), () =>
      this.end?.failure === undefined || !state.journal.lasting
        ? Effect.sync(() => this.output())
        : Effect.map(
            state.outcome(
              this.name,
              Effect.sync(() => this.kept),
            ),
            () => this.output(),
          ),
    )
  }

  /** One attempt of the loop; answered from the record if it failed, or ended with its last whole round. */
  attempt(holding: Holding, rounds: Effect.Effect<Json, Failure>): Effect.Effect<Json, Failure> {
    const { budgets, frame, name } = holding
    const made = keepFailure(holding, this.surviving(rounds))
    if (this.repeat.onRoundError === "fail" || !frame.state.journal.lasting) return made
    this.name = name
    return Effect.flatMap(frame.state.journal.lookup(name), (known) => {
      if (known?.ok !== true || !isKept(known.value)) return made
      const { end, stages } = known.value as unknown as Kept
      Object.assign(frame.scope.stages, stages)
      frame.state.priorSpending?.bookWithin(name, budgets)
      this.end = end
      return Effect.succeed(null)
    })
  }

  private get kept(): Json {
    const stages = viewsOf(this.block, this.occurrence.frame)
    return { end: this.end!, stages } satisfies Kept as unknown as Json
  }

  /** The output, once the loop has ended. */
  private output(): Json {
    const { carry, failure, iterations, stopped } = this.end!
    const { frame, node, path } = this.occurrence
    frame.state.emit({
      type: "LoopEnded",
      path,
      stage: node.id,
      iterations,
      stopped,
      ...(failure === undefined ? {} : { failure }),
    })
    return {
      carry,
      iterations,
      done: stopped === "done",
      stopped,
      ...(failure === undefined
        ? {}
        : { error: { class: failure.class, message: failure.message } }),
    }
  }

  /** With `on_round_error: keep`, a failure after a whole round ends the loop with that round. */
  private surviving(work: Effect.Effect<Json, Failure>): Effect.Effect<Json, Failure> {
    if (this.repeat.onRoundError === "fail") return work
    return Effect.catch(work, (given) =>
      // Without a store nothing that follows could be recorded.
      this.iterations === 0 || given.class === "store"
        ? Effect.fail(given)
        : Effect.flatMap(quotable(this.occurrence, toFailureRecord(given)), (failure) =>
            this.stop(stopAfter(failure), failure),
          ),
    )
  }

  private stop(stopped: LoopStop, failure?: FailureRecord): Effect.Effect<null> {
    const { carry, iterations } = this
    this.end = { carry, iterations, stopped, ...(failure === undefined ? {} : { failure }) }
    return Effect.succeed(null)
  }

  /** One attempt: its rounds until the loop ends. */
  rounds(frame: Frame, path: string): Effect.Effect<null, StageFailed> {
    return Effect.suspend(() => {
      this.iterations = 0
      const started = Effect.all([
        this.limit(frame),
        valueOf(this.repeat.carry.evaluate, frame.scope),
      ])
      return Effect.flatMap(started, ([most, carry]) => {
        this.most = most
        this.carry = carry as JsonObject
        return this.round(frame, path)
      })
    })
  }

  /** The greatest number of rounds. */
  private limit({ scope }: Frame): Effect.Effect<number, StageFailed> {
    const { iterations, maxIterations } = this.repeat
    if (iterations === undefined) return Effect.succeed(maxIterations)
    return Effect.flatMap(valueOf(iterations.evaluate, scope), (value) =>
      typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= maxIterations
        ? Effect.succeed(value)
        : Effect.fail(
            new StageFailed({
              class: "invalid_request",
              message: `\`max_iterations\` of "${this.occurrence.node.id}" is ${JSON.stringify(value)}; it must be a whole number from 1 to ${maxIterations}`,
            }),
          ),
    )
  }

  private round(frame: Frame, path: string): Effect.Effect<null, StageFailed> {
    const { block, carry, iterations: iteration, repeat } = this
    const { nested, node } = this.occurrence
    const { state } = frame
    if (iteration === this.most) return this.exhausted()
    state.emit({ type: "IterationStarted", path, stage: node.id, iteration })
    const stages = { ...frame.scope.stages }
    const inner: Frame = {
      ...frame,
      prefix: prefixOf(itemAt(path, iteration)),
      scope: { ...frame.scope, stages, iter: { ...carry, index: iteration } },
    }
    const ended = Effect.andThen(
      nested.block(block, inner),
      Effect.all([
        valueOf(repeat.until.evaluate, inner.scope),
        valueOf(repeat.next.evaluate, inner.scope),
      ]),
    )
    return Effect.flatMap(ended, ([until, next]) => {
      const done = until === true
      this.carry = next as JsonObject
      this.iterations++
      for (const { id } of block.nodes) {
        const view = stages[id]
        if (view !== undefined) frame.scope.stages[id] = view
      }
      state.emit({
        type: "IterationFinished",
        path,
        stage: node.id,
        iteration,
        done,
        carry: this.carry,
      })
      if (done) return this.stop("done")
      if (repeat.onNoNewCall === "continue") return this.round(frame, path)
      return Effect.flatMap(hasNewCall(frame, itemAt(path, iteration)), (more) =>
        more === true ? this.round(frame, path) : this.stop("no_new_call"),
      )
    })
  }

  private exhausted(): Effect.Effect<null, StageFailed> {
    const { carry, iterations, repeat } = this
    if (repeat.onExhausted === "continue") return this.stop("iterations")
    return Effect.fail(
      new StageFailed({
        class: "assertion",
        message: `"${this.occurrence.node.id}" was not done after ${iterations} iterations`,
        detail: { carry, stopped: "iterations" satisfies LoopStop },
      }),
    )
  }
}

/** Whether a call of the round reached its tool, rather than being refused or answered by an equal one. Recorded: a replay makes no calls. */
const hasNewCall = ({ state }: Frame, round: string): Effect.Effect<boolean, StageFailed> =>
  state.outcome(
    below(round, "new_call", 1),
    Effect.sync((): boolean =>
      state.calls.some((call) => isMadeCall(call) && isPathWithin(call.path, round)),
    ),
  )

const stopAfter = ({ class: reason, detail }: FailureRecord): LoopStop => {
  switch (reason) {
    case "budget":
      return isTime(detail) ? "time" : "budget"
    case "timeout":
      return "time"
    case "clarification":
      return "clarification"
    default:
      return "round_failed"
  }
}

/** Whether the budget that is spent is one of time. */
const isTime = (detail: Json | undefined): boolean =>
  typeof detail === "object" && detail !== null && (detail as JsonObject)["key"] === "time"
