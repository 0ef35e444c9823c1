/** The order in which hooks of a pipeline run, by point. */
import { hookPoints, type AnyHook, type PointId } from "@planloom/plugin/effect"
import { hookOrderOf } from "@planloom/plugin/hooks"
import type { BoundHook, CallFilter, HookPlan } from "./HookPlan.ts"
import type { Block, Node, Pipeline } from "./Pipeline.ts"

/** The hooks of one point, in order; of stages that have the same. */
export interface PointOrder {
  readonly point: PointId
  /** Ids of the stages; absent at points of the whole run. */
  readonly stages?: ReadonlyArray<string>
  readonly hooks: ReadonlyArray<OrderedHook>
}

export interface OrderedHook extends Required<Pick<AnyHook, "phase" | "priority">> {
  readonly id: string
  readonly kind: AnyHook["kind"]
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  readonly only?: CallFilter
  /** CEL. */
  readonly when?: string
  /** Milliseconds. */
  readonly timeout: number
  readonly onError: "skip" | "fail"
}

/** Observers and reviewers stand after the transforms: they run together. */
export const hookOrder = (pipeline: Pipeline): ReadonlyArray<PointOrder> => {
  const nodes = [...nodesIn(pipeline.main), ...nodesIn(pipeline.finally)]
  return hookPoints.flatMap(({ id: point, scope }) => {
    if (scope === "workflow") {
      const hooks = orderAt(pipeline.hooks, point)
      return hooks.length === 0 ? [] : [{ point, hooks }]
    }
    const groups = new Map<string, { point: PointId; stages: Array<string>; hooks: typeof none }>()
    for (const { hooks: plan, id } of nodes) {
      const hooks = orderAt(plan, point)
      if (hooks.length === 0) continue
      const key = JSON.stringify(hooks)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { point, stages: [id], hooks })
      else group.stages.push(id)
    }
    return [...groups.values()]
  })
}

const none: ReadonlyArray<OrderedHook> = []

const nodesIn = (block: Block): ReadonlyArray<Node> =>
  block.nodes.flatMap((node) => (node.work.type === "block" ? nodesIn(node.work.block) : [node]))

const orderAt = (plan: HookPlan | undefined, point: PointId): ReadonlyArray<OrderedHook> => {
  const { readers, transforms } = plan?.[point] ?? { transforms: [], readers: [] }
  return [...transforms, ...readers].map(orderedHook)
}

const orderedHook = ({ hook, onError, only, timeout, when }: BoundHook): OrderedHook => ({
  id: hook.id,
  kind: hook.kind,
  ...hookOrderOf(hook),
  ...(only && { only }),
  ...(when && { when: when.source }),
  timeout,
  onError,
})
