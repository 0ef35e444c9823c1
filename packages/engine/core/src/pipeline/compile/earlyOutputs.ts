/** Computes when an output can be emitted: once no stage can change what it reads. */
import { NeedsGraph } from "@planloom/plugin/needs"
import type { Block, EarlyOutput, PipelineOutput } from "../Pipeline.ts"

export const earlyOutputs = (
  outputs: ReadonlyArray<PipelineOutput>,
  main: Block,
): ReadonlyArray<EarlyOutput> => {
  if (outputs.length === 0) return []
  const settled = new Map<string, ReadonlySet<string>>()
  settle(main, new Set(), undefined, settled)
  return outputs.map((output) => ({
    output,
    after: new Set(
      output.value.references.flatMap(([root, id]) => {
        if (root !== "stages") return []
        const known = id === undefined ? undefined : settled.get(id)
        return known === undefined ? main.nodes.map((node) => node.id) : [...known]
      }),
    ),
  }))
}

/**
 * Notes for every stage the ids that must have ended before it is over for good: itself, and those whose
 * assertions may send the run back to it. Inside of what repeats or is tried again, that is the block itself.
 */
const settle = (
  block: Block,
  around: ReadonlySet<string>,
  repeated: ReadonlySet<string> | undefined,
  settled: Map<string, ReadonlySet<string>>,
): void => {
  const leads = leadsTo(block)
  block.nodes.forEach((node, index) => {
    const own = repeated ?? new Set([node.id, ...around, ...whoGoesBack(block, leads, index)])
    settled.set(node.id, own)
    if (node.work.type !== "block") return
    const again =
      node.work.repeat !== undefined ||
      node.forEach !== undefined ||
      (node.policy?.retries.length ?? 0) > 0
    const outer = new Set([...own].filter((id) => id !== node.id))
    settle(node.work.block, outer, repeated ?? (again ? own : undefined), settled)
  })
}

/** Ids of the stages whose assertions may have this one run again, directly or through one another. */
const whoGoesBack = (block: Block, leads: Leads, index: number): ReadonlySet<string> => {
  const found = new Set<number>()
  const look = (at: number): void => {
    block.nodes.forEach(({ assertions }, asserting) => {
      if (found.has(asserting)) return
      const covers = assertions.some(
        ({ rerun }) => rerun !== undefined && leads(rerun.node, at) && leads(at, asserting),
      )
      if (!covers) return
      found.add(asserting)
      look(asserting)
    })
  }
  look(index)
  return new Set([...found].map((node) => block.nodes[node]!.id))
}

/** Whether the second stage runs after the first because of it, or is the first. */
type Leads = (from: number, to: number) => boolean

const leadsTo = ({ needs }: Block): Leads => {
  if (needs === undefined) return (from, to) => from <= to
  const graph = new NeedsGraph(needs)
  return (from, to) => from === to || graph.waitsFor(to, from)
}
