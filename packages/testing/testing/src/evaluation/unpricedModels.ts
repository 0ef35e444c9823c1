/** Models that a workflow may ask and whose price is not known. */
import type { Block, KindWork } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"
import { factsOf } from "@planloom/plugin/facts"

/** Their names, each once, also of the workflows that its stages run. */
export const unpricedModels = (pipeline: Pipeline): ReadonlyArray<string> => {
  const works = [pipeline, ...pipeline.workflows.values()].flatMap(({ finally: last, main }) => [
    ...worksIn(main),
    ...worksIn(last),
  ])
  const names = works.flatMap(({ model }) => model?.choices.map(({ name }) => name) ?? [])
  return [...new Set(names)].filter((name) => factsOf(name, pipeline.facts)?.price === undefined)
}

const worksIn = ({ nodes }: Block): ReadonlyArray<KindWork> =>
  nodes.flatMap(({ fallback, work }) => [
    ...(work.type === "block" ? worksIn(work.block) : [work]),
    ...(fallback === undefined ? [] : [fallback]),
  ])
