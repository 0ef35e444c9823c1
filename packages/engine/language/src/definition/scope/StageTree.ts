/** The stages of a definition as a tree: enclosing blocks and dependencies. */
import { NeedsGraph } from "@planloom/plugin/needs"
import type { Definition, DocumentPath, Stage } from "../Definition.ts"

export interface StageNode {
  readonly stage: Stage
  readonly path: DocumentPath
  readonly index: number
  readonly block: BlockNode
  /** The block this stage is around. */
  readonly inner: BlockNode | undefined
}

export interface BlockNode {
  readonly stages: ReadonlyArray<StageNode>
  /** The first of each id. */
  readonly byId: ReadonlyMap<string, StageNode>
  /** The stage around the block; the outermost has none. */
  readonly owner: StageNode | undefined
  /** Some stage has `needs`: stages wait only for what they need. */
  readonly graph: boolean
  /** The block under `finally:`. */
  readonly last: boolean
}

export interface StageTree {
  readonly main: BlockNode
  readonly finally: BlockNode
  /** Every stage, in reading order. */
  readonly all: ReadonlyArray<StageNode>
  /** The first of each id. */
  readonly byId: ReadonlyMap<string, StageNode>
}

const trees = new WeakMap<Definition, StageTree>()

/** Made once for a definition. */
export const stageTree = (definition: Definition): StageTree => {
  let tree = trees.get(definition)
  if (tree === undefined) trees.set(definition, (tree = makeTree(definition)))
  return tree
}

const makeTree = (definition: Definition): StageTree => {
  const all: Array<StageNode> = []
  const block = (
    stages: ReadonlyArray<Stage>,
    pathOf: (index: number) => DocumentPath,
    owner: StageNode | undefined,
    last: boolean,
  ): BlockNode => {
    const nodes: Array<StageNode> = []
    const ids = new Map<string, StageNode>()
    const made: BlockNode = {
      stages: nodes,
      byId: ids,
      owner,
      graph: stages.some(({ needs }) => needs !== undefined),
      last,
    }
    stages.forEach((stage, index) => {
      const at = pathOf(index)
      const node: { -readonly [K in keyof StageNode]: StageNode[K] } = {
        stage,
        path: at,
        index,
        block: made,
        inner: undefined,
      }
      nodes.push(node)
      all.push(node)
      if (!ids.has(stage.id)) ids.set(stage.id, node)
      if (stage.stages) node.inner = block(stage.stages, innerPaths(stage, at), node, last)
    })
    return made
  }
  const main = block(definition.stages, (index) => ["stages", index], undefined, false)
  const last = block(definition.finally, (index) => ["finally", index], undefined, true)
  const byId = new Map<string, StageNode>()
  for (const node of all) {
    if (node.stage.id !== "" && !byId.has(node.stage.id)) byId.set(node.stage.id, node)
  }
  return { main, finally: last, all, byId }
}

/** Where the stages inside a stage are written. */
export const innerPaths =
  ({ branch }: Stage, path: DocumentPath) =>
  (index: number): DocumentPath => [...path, ...(branch?.cases[index]?.at ?? ["stages", index])]

/** The stages around a stage, the nearest first. */
export const ancestorsOf = (node: StageNode): ReadonlyArray<StageNode> => {
  const found: Array<StageNode> = []
  for (let owner = node.block.owner; owner; owner = owner.block.owner) found.push(owner)
  return found
}

const graphs = new WeakMap<BlockNode, NeedsGraph>()

/** Which stages of a block wait for which, by index; an id outside the block is ignored. */
export const needsGraph = (block: BlockNode): NeedsGraph => {
  const known = graphs.get(block)
  if (known) return known
  const graph = new NeedsGraph(
    block.stages.map(({ stage }) =>
      (stage.needs ?? []).flatMap((id) => block.byId.get(id)?.index ?? []),
    ),
  )
  graphs.set(block, graph)
  return graph
}

/** The stages of the same block that have certainly ended when this one starts. */
export const endedBefore = (node: StageNode): ReadonlyArray<StageNode> => {
  const { block, index } = node
  if (!block.graph) return block.stages.slice(0, index)
  const graph = needsGraph(block)
  return block.stages.filter((other) => other !== node && graph.waitsFor(index, other.index))
}
