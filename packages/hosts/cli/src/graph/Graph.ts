/** A workflow's stages as nodes and edges: the input of every diagram format. */
import type { Block, Node } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"

export interface Graph {
  readonly name: string
  readonly main: GraphBlock
  /** Undefined when the workflow has no `finally`. */
  readonly finally: GraphBlock | undefined
}

export interface GraphBlock {
  readonly nodes: ReadonlyArray<GraphNode>
  readonly edges: ReadonlyArray<GraphEdge>
}

export interface GraphNode {
  /** Unique in the graph: `work/results`. */
  readonly path: string
  readonly id: string
  /** The stage kind; undefined for a block. */
  readonly uses: string | undefined
  readonly model: string | undefined
  /** The `if` as written. */
  readonly condition: string | undefined
  /** Short notes on loops and error handling. */
  readonly notes: ReadonlyArray<string>
  /** The stages inside. */
  readonly block: GraphBlock | undefined
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** `rerun` leads back to an earlier stage after a failed assertion. */
  readonly kind: "next" | "rerun"
  readonly label: string | undefined
}

export const graphOf = (pipeline: Pipeline): Graph => ({
  name: pipeline.name,
  main: blockOf(pipeline.main, ""),
  finally: pipeline.finally.nodes.length === 0 ? undefined : blockOf(pipeline.finally, "finally/"),
})

/** Stages of which one runs have no order. */
const blockOf = (block: Block, prefix: string, ordered = true): GraphBlock => {
  const path = (index: number) => prefix + block.nodes[index]!.id
  const order = block.nodes.flatMap((_, index): ReadonlyArray<GraphEdge> => {
    const before = !ordered
      ? []
      : block.needs === undefined
        ? index === 0
          ? []
          : [index - 1]
        : block.needs[index]!
    return before.map((from) => ({
      from: path(from),
      to: path(index),
      kind: "next",
      label: undefined,
    }))
  })
  const reruns = block.nodes.flatMap((node, index) =>
    node.assertions.flatMap(({ rerun }): ReadonlyArray<GraphEdge> =>
      rerun === undefined
        ? []
        : [
            {
              from: path(index),
              to: path(rerun.node),
              kind: "rerun",
              label: `rerun ≤ ${rerun.max}`,
            },
          ],
    ),
  )
  return {
    nodes: block.nodes.map((node) => nodeOf(node, prefix)),
    edges: [...order, ...reruns],
  }
}

const nodeOf = (node: Node, prefix: string): GraphNode => {
  const { forEach, onError, work } = node
  const path = prefix + node.id
  const { branch, repeat } = work.type === "block" ? work : {}
  return {
    path,
    id: node.id,
    uses: work.type === "kind" ? work.uses : undefined,
    model:
      work.type === "kind" && work.kind.model !== undefined
        ? work.model?.choices[0]?.name
        : undefined,
    condition: node.condition?.source,
    notes: [
      ...(forEach === undefined
        ? []
        : [`for each in ${forEach.in.source}, ${forEach.maxParallel} at a time`]),
      ...(branch === undefined ? [] : [`switch on ${branch.on.source}`]),
      ...(repeat === undefined
        ? []
        : [`repeat ≤ ${repeat.maxIterations} until ${repeat.until.source}`]),
      ...(onError === "continue" ? ["on error: continue"] : []),
      ...(node.fallback === undefined ? [] : [`on error: ${node.fallback.uses}`]),
    ],
    block:
      work.type === "block" ? blockOf(work.block, `${path}/`, branch === undefined) : undefined,
  }
}

/** Returns the lines of a node's label, the name first. */
export const labelOf = (node: GraphNode): ReadonlyArray<string> =>
  [
    node.id,
    ...(node.uses === undefined
      ? []
      : [node.model === undefined ? node.uses : `${node.uses} · ${node.model}`]),
    ...(node.condition === undefined ? [] : [`if ${node.condition}`]),
    ...node.notes,
  ].map((line) => (line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 1)}…` : line))

/** Longer lines of a label are cut. */
const MAX_LINE_CHARS = 60
