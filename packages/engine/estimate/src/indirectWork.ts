/** Work of a stage by way of tools, searches and workflows. */
import type { Asks, SearchService } from "@planloom/plugin/effect"
import { factsOf } from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { KindWork } from "@planloom/core/internal"
import { askWork, unknownPrompt, type AskSite } from "./askWork.ts"
import type { EstimateContext } from "./EstimateContext.ts"
import { addWork, exactly, greatestOf, noWork, product, timesWork, type Work } from "./Work.ts"

/** The most work of one tool call. */
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

/** The most calls of embedders and rerankers by one call of a tool. Their tokens are known in the run only, and there may be none. */
export const serviceWork = (names: Asks["tools"], { pipeline }: EstimateContext): Work =>
  greatestOf(
    servicesOf(names, pipeline).map((services) =>
      addWork(
        services.map(({ calls = Infinity, id, to }) => {
          const model = pipeline[to](id)?.model
          if (model === undefined) return noWork
          return { ...searchCall(model, pipeline), calls: { least: 0, most: calls } }
        }),
      ),
    ),
  )

/** Of each tool. */
const servicesOf = (
  names: Asks["tools"],
  { tools }: Pipeline,
): ReadonlyArray<ReadonlyArray<SearchService>> =>
  [...tools.values()].flatMap(({ tool }) =>
    tool.services === undefined || names?.includes(tool.name) === false ? [] : [tool.services],
  )

/** One call of an embedder or a reranker. */
const searchCall = (model: string, { facts }: Pipeline): Work => {
  const price = factsOf(model, facts)?.price
  return {
    calls: exactly(1),
    tokens: { least: 0, most: Infinity },
    cost: price && { least: 0, most: price.input === 0 ? 0 : Infinity },
    refusals: exactly(0),
    toolCalls: exactly(0),
  }
}

/** The services of the tools that a stage may call, whose prices are not known. */
export const unpricedServices = (names: Asks["tools"], { pipeline }: EstimateContext) => [
  ...new Set(
    servicesOf(names, pipeline)
      .flat()
      .flatMap(({ id, to }) => pipeline[to](id)?.model ?? [])
      .filter((model) => factsOf(model, pipeline.facts)?.price === undefined),
  ),
]

/** The most searches of one call of a tool. */
const toolSearches = (names: Asks["tools"], { liveTools, tools }: Pipeline): number => {
  if (names === undefined) {
    return liveTools === undefined
      ? Math.max(0, ...[...tools.values()].map(({ tool }) => tool.searches ?? Infinity))
      : Infinity
  }
  return Math.max(0, ...names.map((name) => tools.get(name)?.tool.searches ?? Infinity))
}

/** A search sends what it looks for, with the documents that were not sent before. */
export const searchWork = (
  work: KindWork,
  { calls = 0, searches = 0, tools }: Asks,
  asked: ReadonlyArray<Work>,
  attempts: number,
  { pipeline }: EstimateContext,
): Work => {
  const embedder = pipeline.index?.embedder
  if (embedder === undefined) return noWork
  // Those that do not all fit are searched for each request.
  const examples = work.examples?.maxTokens === undefined ? exactly(0) : addWork(asked).calls
  const own = product(searches + product(calls, toolSearches(tools, pipeline)), attempts)
  return timesWork(searchCall(embedder, pipeline), {
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
