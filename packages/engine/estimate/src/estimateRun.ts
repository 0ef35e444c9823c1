/** Computes what each stage of a pipeline will do, and the worst case of a run: calls, tokens and cost. Runs nothing. */
import * as Effect from "effect/Effect"
import type { ExpressionScope } from "@planloom/expression"
import { factsOf } from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { Block, Node } from "@planloom/core/internal"
import { tokenCounter, type TokenCounter } from "@planloom/prompt/tokens"
import { purposes, type Estimate, type Parts, type StageEstimate } from "./Estimate.ts"
import type { EstimateContext } from "./EstimateContext.ts"
import { withForeseen } from "./foreseen.ts"
import { isKnown } from "./isKnown.ts"
import { rerunsOver } from "./rerunsOver.ts"
import { stageEstimate } from "./stageEstimate.ts"
import { sum } from "./sum.ts"
import { addWork, noWork, unlimited, type Work } from "./Work.ts"

/** `scope` holds what is known before the run; an expression that needs more is left open. */
export const estimateRun = Effect.fnUntraced(function* (
  pipeline: Pipeline,
  scope: ExpressionScope,
): Effect.fn.Return<Estimate> {
  const counters = new Map<string, TokenCounter>()
  for (const { facts, models } of pipelinesIn(pipeline, new Set())) {
    for (const name of models.stages.flatMap((stage) => stage.models)) {
      counters.set(name, yield* tokenCounter(factsOf(name, facts)))
    }
  }
  return estimateOf(pipeline, scope, counters, [])
})

const pipelinesIn = (pipeline: Pipeline, seen: Set<Pipeline>): ReadonlySet<Pipeline> => {
  if (seen.has(pipeline)) return seen
  seen.add(pipeline)
  for (const inner of pipeline.workflows.values()) pipelinesIn(inner, seen)
  return seen
}

/** `around`: the workflows whose stages run this one. */
const estimateOf = (
  pipeline: Pipeline,
  scope: ExpressionScope,
  counters: EstimateContext["counters"],
  around: ReadonlyArray<Pipeline>,
): Estimate => {
  const known = new Map<string, Work>()
  const nested = (path: string): Work => {
    const inner = pipeline.workflows.get(path)
    if (inner === undefined) return noWork
    const before = known.get(path)
    if (before !== undefined) return before
    const outer = [...around, pipeline]
    // Its inputs are known in the run only. How often a workflow runs itself is not known.
    const made = outer.includes(inner)
      ? unlimited({ ...noWork, calls: { least: 0, most: 1 } })
      : estimateOf(inner, {}, counters, outer).worst.total
    known.set(path, made)
    return made
  }
  const context: EstimateContext = {
    pipeline,
    scope: withForeseen(scope, pipeline.main),
    counters,
    nested,
  }
  const once = { fresh: 1, reruns: 0 }
  const blockOf = (block: Block) => inBlock(block, "", 0, once, undefined, context)
  const stages = blockOf(pipeline.main)
  const last = blockOf(pipeline.finally)
  const summary = pipeline.session?.compact?.block
  // A nested workflow is no turn of a session.
  const session = summary === undefined || around.length > 0 ? [] : blockOf(summary)
  const all = [...stages, ...last, ...session]
  const asking = all.filter(({ total }) => total.calls.most > 0)
  return {
    stages,
    finally: last,
    session,
    worst: {
      total: addWork(all.map(({ total }) => total)),
      parts: partsOf(all),
      unknown: [...new Set(asking.flatMap(({ unknown }) => unknown)), ...asking.flatMap(openText)],
      openLists: [...new Set(asking.flatMap(({ openList }) => openList ?? []))],
    },
  }
}

const partsOf = (stages: ReadonlyArray<StageEstimate>): Parts =>
  Object.fromEntries(
    purposes.flatMap((purpose) => {
      const works = stages.flatMap(({ parts }) => parts[purpose] ?? [])
      return works.length === 0 ? [] : [[purpose, addWork(works)] as const]
    }),
  )

/** Counts of an occurrence: with what the run has not made yet, and again after an assertion. */
interface Happening {
  readonly fresh: number
  readonly reruns: number
}

const inBlock = (
  block: Block,
  prefix: string,
  depth: number,
  times: Happening,
  openList: string | undefined,
  context: EstimateContext,
): ReadonlyArray<StageEstimate> =>
  block.nodes.flatMap((node, index) => {
    const path = prefix + node.id
    const items = itemsOf(node, context)
    const list = node.forEach !== undefined && items === undefined ? path : openList
    const again = rerunsOver(block, index)
    const each = (items ?? 1) * times.fresh
    const fresh = each
    const reruns = each * again + (items ?? 1) * times.reruns * (1 + again)
    const attempts = 1 + sum((node.policy?.retries ?? []).map(({ max_retries }) => max_retries))
    const own = stageEstimate(
      node,
      { path, depth, fresh, reruns, attempts, openList: list },
      context,
    )
    const needs = block.needs?.[index]?.map((other) => block.nodes[other]!.id)
    if (node.work.type === "kind") return [{ ...own, needs }]
    const rounds = (node.work.repeat?.maxIterations ?? 1) * attempts
    return [
      { ...own, needs },
      ...inBlock(
        node.work.block,
        `${path}/`,
        depth + 1,
        { fresh: fresh * rounds, reruns: reruns * rounds },
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
const itemsOf = ({ forEach }: Node, { scope }: EstimateContext): number | undefined => {
  if (forEach === undefined) return 1
  if (!isKnown(forEach.in, scope)) return undefined
  try {
    const list = forEach.in.evaluate(scope)
    return Array.isArray(list) ? list.length : undefined
  } catch {
    return undefined
  }
}
