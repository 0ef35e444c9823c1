/** Runs the stages inside a stage: once, in bounded iterations (`repeat`), or one of them (`switch`). */
import * as Effect from "effect/Effect"
import { StageFailed, type Failure, type Json, type JsonObject } from "@planloom/plugin/effect"
import { below, itemAt, prefixOf } from "@planloom/plugin/segments"
import { Ledger } from "../../model/limit/Ledger.ts"
import type { Block, BlockWork, Node, NodeBranch, NodeRepeat } from "../../pipeline/Pipeline.ts"
import { keepFailure } from "../stage/keepFailure.ts"
import { inTime, applyPolicy } from "../policy/applyPolicy.ts"
import type { Frame } from "../Frame.ts"
import type { Occurrence } from "../stage/Occurrence.ts"
import { retrying } from "../stage/runKind.ts"
import { unquoted } from "../shown/quotable.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import type { NestedRunner } from "./NestedRunner.ts"

/** Runs the block under its stage's policy. Its output: see `blockOutput` and `runRepeat`. */
export const runStages = (given: Occurrence, work: BlockWork): Effect.Effect<Json, Failure> => {
  const { frame, node, path } = given
  const { policy } = node
  const { block } = work
  if (policy === undefined) {
    const { budgets } = frame
    return keepFailure({ name: path, frame, block, budgets }, once(given, work, frame, path))
  }
  const within: Frame =
    policy.budget === undefined
      ? frame
      : {
          ...frame,
          budgets: [...frame.budgets, new Ledger(policy.budget, `stage "${node.id}"`)],
        }
  return applyPolicy(
    (attempt) => {
      const name = attempt === 1 ? path : below(path, "attempt", attempt)
      return keepFailure(
        { name, frame: within, block, budgets: within.budgets },
        inTime(once(given, work, within, name), policy, frame.state, node.id),
      )
    },
    {
      policy,
      state: frame.state,
      stage: node.id,
      retry: () =>
        retrying(frame, node.id, path, undefined, (failure) =>
          failure.stage === undefined
            ? unquoted({ frame, path, stage: node.id }, failure)
            : failure,
        ),
    },
  )
}

const once = (
  { nested, node }: Occurrence,
  work: BlockWork,
  frame: Frame,
  path: string,
): Effect.Effect<Json, Failure> =>
  work.branch !== undefined
    ? runBranch(node, work.block, work.branch, frame, path, nested)
    : work.repeat !== undefined
      ? runRepeat(node, work.block, work.repeat, frame, path, nested)
      : Effect.map(nested.block(work.block, { ...frame, prefix: prefixOf(path) }), () =>
          blockOutput(work.block, frame),
        )

/** The outputs of the inner stages by id; those without one are left out. */
const blockOutput = (block: Block, frame: Frame): JsonObject => {
  const output: { [id: string]: Json } = {}
  for (const { id } of block.nodes) {
    const view = frame.scope.stages[id]
    if (view?.outcome === "success") output[id] = view.output
  }
  return output
}

/** Runs the stage whose case is the value of `on`; the value is a pure function of what is recorded. */
const runBranch = Effect.fnUntraced(function* (
  { id }: Node,
  block: Block,
  { cases, on }: NodeBranch,
  frame: Frame,
  path: string,
  nested: NestedRunner,
) {
  const chosen = yield* value(on.evaluate, frame.scope)
  const name = chosen === null || typeof chosen === "object" ? undefined : String(chosen)
  const named = name === undefined ? -1 : cases.indexOf(name)
  const index = named === -1 ? cases.indexOf(null) : named
  const node = block.nodes[index]
  if (node === undefined) {
    return yield* new StageFailed({
      class: "invalid_request",
      message: `no case of "${id}" is ${JSON.stringify(chosen)}`,
    })
  }
  yield* nested.block({ nodes: [node], needs: undefined }, { ...frame, prefix: prefixOf(path) })
  const view = frame.scope.stages[node.id]
  return {
    case: cases[index] ?? "else",
    value: view?.outcome === "success" ? view.output : null,
  } as Json
})

/**
 * `iter.<name>` starts as `carry` and becomes `next` after every iteration, the last one included.
 * The output is `{ carry, iterations, done }`; the inner stages stay readable as of the last iteration.
 */
const runRepeat = Effect.fnUntraced(function* (
  node: Node,
  block: Block,
  repeat: NodeRepeat,
  frame: Frame,
  path: string,
  nested: NestedRunner,
) {
  const { state } = frame
  let carry = (yield* value(repeat.carry.evaluate, frame.scope)) as JsonObject
  let done = false
  let iteration = 0
  while (!done && iteration < repeat.maxIterations) {
    state.emit({ type: "IterationStarted", path, stage: node.id, iteration })
    const stages = { ...frame.scope.stages }
    const inner: Frame = {
      ...frame,
      prefix: prefixOf(itemAt(path, iteration)),
      scope: { ...frame.scope, stages, iter: { ...carry, index: iteration } },
    }
    yield* nested.block(block, inner)
    done = (yield* value(repeat.until.evaluate, inner.scope)) === true
    carry = (yield* value(repeat.next.evaluate, inner.scope)) as JsonObject
    for (const { id } of block.nodes) {
      const view = stages[id]
      if (view !== undefined) frame.scope.stages[id] = view
    }
    state.emit({ type: "IterationFinished", path, stage: node.id, iteration, done, carry })
    iteration++
  }
  if (!done && repeat.onExhausted === "fail") {
    return yield* new StageFailed({
      class: "assertion",
      message: `"${node.id}" was not done after ${repeat.maxIterations} iterations`,
      detail: { carry },
    })
  }
  return { carry, iterations: iteration, done } as Json
})

const value = <S, A>(evaluate: (scope: S) => A, scope: S): Effect.Effect<A, StageFailed> =>
  Effect.suspend(() => {
    const given = tryEvaluate(evaluate, scope)
    return given instanceof StageFailed ? Effect.fail(given) : Effect.succeed(given)
  })
