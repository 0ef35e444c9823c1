/** Runs the stages of a block: in sequence or as a graph, with reruns that assertions request. */
import type { Cause } from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import {
  Suspended,
  type Failure,
  type Json,
  type StageFailed,
  type Wait,
} from "@planloom/plugin/effect"
import type { Block, Node } from "../../pipeline/Pipeline.ts"
import { inTurn } from "./inTurn.ts"
import type { Refused } from "./failedAssertion.ts"
import { NodeRun, type Left } from "./NodeRun.ts"
import type { Frame } from "../Frame.ts"
import type { NestedRunner } from "./NestedRunner.ts"
import { together } from "../stage/suspension.ts"

/**
 * Runs every stage of the block, for the first time or in a later round; fails with the first failure that no
 * stage caught. Dies with `Suspended` once only stages that wait for answers remain. Holds the state of one run: not to be
 * run twice.
 */
export const runBlock = (
  block: Block,
  frame: Frame,
  nested: NestedRunner,
  round = 1,
): Effect.Effect<void, StageFailed> => {
  const rounds = new Rounds(block, frame, nested, round)
  return block.needs === undefined ? inOrder(rounds) : asGraph(rounds, block.needs)
}

/** Rounds of each stage of a block, and the feedback for the next round. */
class Rounds {
  readonly block: Block
  readonly frame: Frame
  readonly nested: NestedRunner
  private readonly first: number
  private rounds: Array<number> | undefined
  // Most blocks request no rerun.
  private refusals: Map<number, Refused> | undefined
  private reruns: Map<object, number> | undefined

  constructor(block: Block, frame: Frame, nested: NestedRunner, first: number) {
    this.first = first
    this.block = block
    this.frame = frame
    this.nested = nested
  }

  /** The next run of a stage. */
  next(index: number): NodeRun {
    return new NodeRun(
      this.block.nodes[index]!,
      this.frame,
      this.nested,
      this,
      this.rounds?.[index] ?? this.first,
      this.refusals?.get(index),
    )
  }

  /** Emits the outputs that waited for the stage, which has ended for good. */
  ended(index: number): Effect.Effect<void, StageFailed> | undefined {
    const { pipeline, state } = this.frame
    const { early } = state
    return early?.pipeline === pipeline ? early.end(this.block.nodes[index]!) : undefined
  }

  nodeAt(index: number): Node {
    return this.block.nodes[index]!
  }

  rerunsOf(assertion: object): number {
    return this.reruns?.get(assertion) ?? 0
  }

  /** Schedules a rerun of these stages; the first one receives the feedback. */
  again(refused: Refused, indices: ReadonlyArray<number>): void {
    this.reruns ??= new Map()
    this.reruns.set(refused.assertion, refused.feedback.count)
    this.rounds ??= this.block.nodes.map(() => this.first)
    for (const index of indices) this.rounds[index]!++
    this.refusals ??= new Map()
    this.refusals.set(refused.target, refused)
  }
}

const inOrder = (rounds: Rounds): Effect.Effect<void, StageFailed> => {
  const { nodes } = rounds.block
  const isLimited = nodes.some(({ policy }) => policy !== undefined)
  let index = 0
  let run: NodeRun
  const leave = (left: Left): Effect.Effect<void, StageFailed> | undefined => {
    if (left === undefined) return rounds.ended(index++)
    if (left instanceof Suspended) return Effect.die(left)
    rounds.again(left, range(left.target, index))
    index = left.target
    return undefined
  }
  const leaving = (end: Effect.Effect<Left, StageFailed>) =>
    Effect.flatMap(end, (left) => leave(left) ?? Effect.void)
  return inTurn({
    deadlines: isLimited ? rounds.frame.state.deadlines : undefined,
    next: (follows, limit) => {
      if (index === nodes.length) return undefined
      run = rounds.next(index)
      return run.start(follows, limit)
    },
    succeeded: (output: Json) => {
      const end = run.succeeded(output)
      return end === undefined ? leave(undefined) : leaving(end)
    },
    failed: (cause: Cause<Failure>) => leaving(run.failed(cause)),
  })
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, offset) => from + offset)

/**
 * Every stage starts as soon as those it needs have ended; one that needs a stage that waits does not start.
 * A rerun repeats, one after another, the stages on the ways from its target to the asserting stage;
 * branches beside keep what they have read.
 */
const asGraph = (rounds: Rounds, needs: ReadonlyArray<ReadonlyArray<number>>) =>
  Effect.suspend(() => {
    const held: Array<ReadonlyArray<Wait>> = []
    /** Whether those that need it may start. */
    const ended = needs.map(() => Deferred.makeUnsafe<boolean>())
    const one = Effect.fnUntraced(function* (needed: ReadonlyArray<number>, index: number) {
      let free = true
      for (const other of needed) free = (yield* Deferred.await(ended[other]!)) && free
      if (!free) return false
      const left = [index]
      for (let step = left.shift(); step !== undefined; step = left.shift()) {
        const end = yield* rounds.next(step).whole
        if (end === undefined) {
          yield* rounds.ended(step) ?? Effect.void
          continue
        }
        if (end instanceof Suspended) {
          held.push(end.waits)
          return false
        }
        // An assertion on the way may request a rerun itself; later stages wait.
        const way = between(needs, end.target, step)
        rounds.again(end, way)
        left.unshift(...way)
      }
      return true
    })
    return Effect.flatMap(
      Effect.forEach(
        needs,
        (needed, index) =>
          Effect.map(one(needed, index), (free) => {
            Deferred.doneUnsafe(ended[index]!, Effect.succeed(free))
          }),
        { concurrency: "unbounded", discard: true },
      ),
      () =>
        held.length === 0 ? Effect.void : Effect.die(new Suspended({ waits: together(held) })),
    )
  })

/** The nodes on the ways from one node to another, both included, in an order that respects `needs`. */
const between = (
  needs: ReadonlyArray<ReadonlyArray<number>>,
  from: number,
  to: number,
): ReadonlyArray<number> => {
  const leads = new Map<number, boolean>([[from, true]])
  const order: Array<number> = [from]
  const visit = (node: number): boolean => {
    const known = leads.get(node)
    if (known !== undefined) return known
    leads.set(node, false)
    const reaches = needs[node]!.map(visit).some(Boolean)
    leads.set(node, reaches)
    if (reaches) order.push(node)
    return reaches
  }
  visit(to)
  return order
}
