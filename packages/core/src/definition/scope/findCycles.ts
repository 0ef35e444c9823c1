/** Stages of one block that wait for each other. */
import type { BlockNode, StageNode } from "./StageTree.ts"

/** Each cycle once, beginning with its first stage in the file. */
export const findCycles = (block: BlockNode): ReadonlyArray<ReadonlyArray<StageNode>> => {
  const cycles: Array<ReadonlyArray<StageNode>> = []
  const done = new Set<StageNode>()
  const way: Array<StageNode> = []
  const visit = (node: StageNode): void => {
    const start = way.indexOf(node)
    if (start !== -1) {
      cycles.push(fromFirst(way.slice(start)))
      return
    }
    if (done.has(node)) return
    way.push(node)
    for (const id of node.stage.needs ?? []) {
      const needed = block.stages.find(({ stage }) => stage.id === id)
      if (needed) visit(needed)
    }
    way.pop()
    done.add(node)
  }
  block.stages.forEach(visit)
  return cycles
}

const fromFirst = (cycle: ReadonlyArray<StageNode>): ReadonlyArray<StageNode> => {
  const first = cycle.reduce((best, node, at) => (node.index < cycle[best]!.index ? at : best), 0)
  return [...cycle.slice(first), ...cycle.slice(0, first)]
}
