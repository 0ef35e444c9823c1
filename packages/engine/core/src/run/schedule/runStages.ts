/** Runs the stages inside a stage under its policy: once, in bounded rounds (`repeat`), or one of them (`switch`). */
import * as Effect from "effect/Effect"
import { StageFailed, type Failure, type Json, type JsonObject } from "@planloom/plugin/effect"
import { below, prefixOf } from "@planloom/plugin/segments"
import { Ledger } from "../../model/limit/Ledger.ts"
import type { Block, BlockWork, Node, NodeBranch } from "../../pipeline/Pipeline.ts"
import { keepFailure, type Holding } from "../stage/keepFailure.ts"
import { inTime, applyPolicy } from "../policy/applyPolicy.ts"
import type { Frame } from "../Frame.ts"
import type { Occurrence } from "../stage/Occurrence.ts"
import { retrying } from "../stage/runKind.ts"
import { unquoted } from "../shown/quotable.ts"
import { valueOf } from "../stage/tryEvaluate.ts"
import { Loop } from "./Loop.ts"
import type { NestedRunner } from "./NestedRunner.ts"

/** Runs the block under its stage's policy. Its output: see `blockOutput` and `Loop`. */
export const runStages = (given: Occurrence, work: BlockWork): Effect.Effect<Json, Failure> => {
  const { repeat } = work
  if (repeat === undefined)
    return underPolicy(given, work, (frame, path) => once(given, work, frame, path))
  return Effect.suspend(() => {
    const loop = new Loop(given, work.block, repeat)
    return loop.whole(
      underPolicy(
        given,
        work,
        (frame, path) => loop.rounds(frame, path),
        (holding, rounds) => loop.attempt(holding, rounds),
      ),
    )
  })
}

type Run = (frame: Frame, path: string) => Effect.Effect<Json, Failure>

/** `keep` records the outcome of an attempt within its time limit. */
const underPolicy = (
  { frame, node, path }: Occurrence,
  { block }: BlockWork,
  run: Run,
  keep: (holding: Holding, attempt: Effect.Effect<Json, Failure>) => ReturnType<Run> = keepFailure,
): Effect.Effect<Json, Failure> => {
  const { policy } = node
  if (policy === undefined) {
    const { budgets } = frame
    return keep({ name: path, frame, block, budgets }, run(frame, path))
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
      return keep(
        { name, frame: within, block, budgets: within.budgets },
        inTime(run(within, name), policy, frame.state, node.id),
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
  const chosen = yield* valueOf(on.evaluate, frame.scope)
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
