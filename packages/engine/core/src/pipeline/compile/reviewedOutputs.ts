/** Finds the outputs whose texts are reviewed after they have left: those of stages with a gate that has an `after`. */
import type { Block, Node, PipelineOutput, ReviewedNode, ReviewedOutput } from "../Pipeline.ts"

/** Of a gate that does not say how long it reviews. */
const AFTER_MS = 30_000

export const reviewedOutputs = (
  outputs: ReadonlyArray<PipelineOutput>,
  main: Block,
): ReadonlyArray<ReviewedOutput> => {
  const reviewed = main.nodes.flatMap((node, position) => reviewedIn(node, position, []))
  if (reviewed.length === 0) return []
  return outputs.flatMap((output) => {
    const read = new Set(
      output.value.references.flatMap(([root, id]) => (root === "stages" ? [id] : [])),
    )
    const stages = reviewed.filter(
      ({ ids }) => read.has(undefined) || ids.some((id) => read.has(id)),
    )
    return stages.length === 0 ? [] : [{ output, stages }]
  })
}

/** `around` holds the ids of the stages that the node is inside of: an output may read those. */
const reviewedIn = (
  node: Node,
  position: number,
  around: ReadonlyArray<string>,
): ReadonlyArray<ReviewedNode> => {
  const { gate, id, work } = node
  const ids = [...around, id]
  if (work.type === "block") {
    return work.block.nodes.flatMap((inner) => reviewedIn(inner, position, ids))
  }
  return gate?.after === undefined || work.kind.streams === undefined
    ? []
    : [
        {
          node: { ...node, work },
          after: gate.after,
          afterMs: gate.afterMs ?? AFTER_MS,
          ids,
          position,
        },
      ]
}
