/** Computes what each stage of a pipeline will do, and the maximum calls, tokens and cost of a run. Runs nothing. */
import * as Effect from "effect/Effect"
import type { ExpressionScope } from "@planloom/expression"
import { factsOf } from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { Block, Node } from "@planloom/core/internal"
import { tokenCounter, type TokenCounter } from "@planloom/prompt/tokens"
import type { Estimate, RepairEstimate, StageEstimate } from "./Estimate.ts"
import { stageEstimate, type Context } from "./stageEstimate.ts"
import { sum } from "./sum.ts"

/** `scope` holds what is known before the run; an expression that needs more is left open. */
export const estimateRun = Effect.fnUntraced(function* (
  pipeline: Pipeline,
  scope: ExpressionScope,
): Effect.fn.Return<Estimate> {
  const counters = new Map<string, TokenCounter>()
  for (const name of pipeline.models.stages.flatMap(({ models }) => models)) {
    counters.set(name, yield* tokenCounter(factsOf(name, pipeline.facts)))
  }
  const context = { pipeline, scope, counters }
  const stages = inBlock(pipeline.main, "", 0, 1, undefined, context)
  const last = inBlock(pipeline.finally, "", 0, 1, undefined, context)
  const all = [...stages, ...last]
  const asking = all.filter(({ modelCalls }) => modelCalls > 0)
  return {
    stages,
    finally: last,
    worst: {
      modelCalls: sum(asking.map(({ modelCalls }) => modelCalls)),
      tokens: sum(asking.map(({ tokens }) => tokens)),
      cost: asking.some(({ cost }) => cost === undefined)
        ? undefined
        : sum(asking.map(({ cost }) => cost!)),
      repairs: sumRepairs(asking.flatMap(({ repairs }) => repairs ?? [])),
      unknown: [...new Set(asking.flatMap(({ unknown }) => unknown)), ...asking.flatMap(openText)],
      openLists: [...new Set(asking.flatMap(({ openList }) => openList ?? []))],
    },
  }
})

const inBlock = (
  block: Block,
  prefix: string,
  depth: number,
  times: number,
  openList: string | undefined,
  context: Context,
): ReadonlyArray<StageEstimate> =>
  block.nodes.flatMap((node, index) => {
    const path = prefix + node.id
    const items = itemsOf(node, context)
    const list = node.forEach !== undefined && items === undefined ? path : openList
    const occurrences = times * (1 + rerunsOver(block, index)) * (items ?? 1)
    const attempts = 1 + sum((node.policy?.retries ?? []).map(({ max_retries }) => max_retries))
    const own = stageEstimate(node, { path, depth, occurrences, attempts, openList: list }, context)
    const needs = block.needs?.[index]?.map((other) => block.nodes[other]!.id)
    if (node.work.type === "kind") return [{ ...own, needs }]
    const rounds = node.work.repeat?.maxIterations ?? 1
    return [
      { ...own, needs },
      ...inBlock(
        node.work.block,
        `${path}/`,
        depth + 1,
        occurrences * attempts * rounds,
        list,
        context,
      ),
    ]
  })

/** Describes the parts of a stage's prompt that are unknown before the run. */
const openText = ({ path, prompt, with: given }: StageEstimate): ReadonlyArray<string> => {
  const open = [...(prompt?.open ?? []), ...(given?.open ?? [])]
  return open.length === 0 ? [] : [`the content of ${open.join(", ")} in ${path}`]
}

/** Number of items of a `for_each`, computed from the inputs; 1 without one, undefined if unknown before the run. */
const itemsOf = ({ forEach }: Node, { scope }: Context): number | undefined => {
  if (forEach === undefined) return 1
  try {
    const list = forEach.in.evaluate(scope)
    return Array.isArray(list) ? list.length : undefined
  } catch {
    return undefined
  }
}

/** Maximum number of reruns of this node by assertions of its block. */
const rerunsOver = (block: Block, index: number): number =>
  sum(
    block.nodes.flatMap((node, asserting) =>
      node.assertions.flatMap(({ rerun }) =>
        rerun !== undefined &&
        (block.needs === undefined
          ? rerun.node <= index && index <= asserting
          : waitsFor(block.needs, index, rerun.node) && waitsFor(block.needs, asserting, index))
          ? [rerun.max]
          : [],
      ),
    ),
  )

const waitsFor = (
  needs: ReadonlyArray<ReadonlyArray<number>>,
  node: number,
  other: number,
): boolean => node === other || needs[node]!.some((before) => waitsFor(needs, before, other))

const sumRepairs = (stages: ReadonlyArray<RepairEstimate>): RepairEstimate | undefined =>
  stages.length === 0
    ? undefined
    : {
        modelCalls: sum(stages.map(({ modelCalls }) => modelCalls)),
        tokens: sum(stages.map(({ tokens }) => tokens)),
        cost: stages.some(({ cost }) => cost === undefined)
          ? undefined
          : sum(stages.map(({ cost }) => cost!)),
      }
