/** What a stage asks by way of tools, searches and workflows. */
import type { Asks } from "@planloom/plugin/effect"
import { factsOf } from "@planloom/plugin/facts"
import type { KindWork } from "@planloom/core/internal"
import { askWork, unknownPrompt, type AskSite } from "./askWork.ts"
import type { EstimateContext } from "./EstimateContext.ts"
import { addWork, exactly, greatestOf, noWork, product, timesWork, type Work } from "./Work.ts"

/** What one call of a tool asks, at most. */
export const toolWork = (
  work: KindWork,
  names: Asks["tools"],
  { pipeline }: EstimateContext,
): Work => {
  const models = unknownPrompt(work.model, pipeline.facts)
  if (models.length === 0) return noWork
  const site: AskSite = {
    models,
    maxTokens: work.model?.maxTokens,
    onCut: work.model?.onCut ?? "note",
    repair: work.model?.repair ?? true,
    isGated: false,
  }
  const works = [...pipeline.tools.values()].flatMap(({ tool }) =>
    tool.asks === undefined || names?.includes(tool.name) === false
      ? []
      : [
          addWork(
            tool.asks.map((one) => {
              const { asks, continuations, repairs } = askWork(one, site)
              return addWork([asks, continuations, repairs])
            }),
          ),
        ],
  )
  return greatestOf(works)
}

/** A search sends what it looks for, with the documents that were not sent before. */
export const searchWork = (
  work: KindWork,
  { calls = 0, searches = 0 }: Asks,
  asked: ReadonlyArray<Work>,
  attempts: number,
  { pipeline }: EstimateContext,
): Work => {
  const embedder = pipeline.index?.embedder
  if (embedder === undefined) return noWork
  const price = factsOf(embedder, pipeline.facts)?.price
  const one: Work = {
    calls: exactly(1),
    tokens: { least: 0, most: Infinity },
    cost: price && { least: 0, most: price.input === 0 ? 0 : Infinity },
    refusals: exactly(0),
  }
  // Those that do not all fit are searched for each request.
  const examples = work.examples?.maxTokens === undefined ? exactly(0) : addWork(asked).calls
  // A tool may search.
  const own = product(calls > 0 ? Infinity : searches, attempts)
  return timesWork(one, {
    least: Number.isFinite(own) ? own : 0,
    most: own + examples.most,
  })
}

export const nestedWork = (
  { workflows }: KindWork,
  { nested, pipeline }: EstimateContext,
): Work => {
  const paths = workflows.length > 0 ? workflows : [...pipeline.workflows.keys()]
  return greatestOf(paths.map(nested))
}
