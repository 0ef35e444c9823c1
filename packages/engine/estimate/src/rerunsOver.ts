/** Counts how often assertions of a block run one of its stages again. */
import type { Block } from "@planloom/core/internal"
import { sum } from "./sum.ts"

/**
 * The most reruns of the node. After those with its model, a stage that has rules runs once by them, and the stages up to
 * the assertion run again with their models.
 */
export const rerunsOver = (block: Block, index: number): number =>
  sum(
    block.nodes.flatMap((node, asserting) =>
      node.assertions.flatMap(({ rerun }) =>
        rerun !== undefined &&
        (block.needs === undefined
          ? rerun.node <= index && index <= asserting
          : waitsFor(block.needs, index, rerun.node) && waitsFor(block.needs, asserting, index))
          ? [
              rerun.max +
                (!isRuled(block, index, rerun.node) && fallsBack(block, rerun.node) ? 1 : 0),
            ]
          : [],
      ),
    ),
  )

/** Whether it is the stage that then runs by rules, of which no gate reads a text. */
const isRuled = ({ nodes }: Block, index: number, target: number): boolean =>
  index === target && nodes[index]!.gate === undefined

const fallsBack = ({ nodes }: Block, index: number): boolean => {
  const { work } = nodes[index]!
  return (
    work.type === "kind" &&
    work.kind.mechanical !== undefined &&
    work.model !== undefined &&
    work.model.otherwise !== "fail" &&
    work.model.choices.length > 0
  )
}

const waitsFor = (
  needs: ReadonlyArray<ReadonlyArray<number>>,
  node: number,
  other: number,
): boolean => node === other || needs[node]!.some((before) => waitsFor(needs, before, other))
