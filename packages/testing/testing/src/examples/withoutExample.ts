/** Leaves an example out of what its stage is shown, so that it can be put to the stage as a question. */
import type { Pipeline } from "@planloom/core"
import type { Block, KindWork } from "@planloom/core/internal"

type NodeExamples = NonNullable<KindWork["examples"]>

/** Without the example at `position`, counted from 0, of the stage, and without those in which the user says the same after the same turns. */
export const withoutExample = (pipeline: Pipeline, stage: string, position: number): Pipeline => {
  const blockWithout = (block: Block): Block => ({
    ...block,
    nodes: block.nodes.map((node) => {
      const { id, work } = node
      if (work.type === "block") {
        return { ...node, work: { ...work, block: blockWithout(work.block) } }
      }
      if (id !== stage || work.examples === undefined) return node
      return { ...node, work: showing(work, others(work.examples, position)) }
    }),
  })
  return { ...pipeline, main: blockWithout(pipeline.main), finally: blockWithout(pipeline.finally) }
}

/** The model stays what the registry says at each call. */
const showing = (work: KindWork, examples: NodeExamples): KindWork => ({
  ...work,
  get model() {
    return work.model
  },
  examples,
})

const others = (examples: NodeExamples, position: number): NodeExamples => {
  const turns = examples.turns()
  const asked = questionOf(turns[position])
  const kept = turns.filter((turn) => questionOf(turn) !== asked)
  return {
    ...examples,
    examples: examples.examples.filter((_, at) => questionOf(turns[at]) !== asked),
    turns: () => kept,
  }
}

const questionOf = (turn: Turn | undefined): string | undefined =>
  turn && JSON.stringify([turn.before, turn.user])

type Turn = ReturnType<NodeExamples["turns"]>[number]
