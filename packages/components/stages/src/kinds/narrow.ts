/** Stage kind `narrow`: selects the few tools that a plan for the requirements needs. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type {
  BuiltIndex,
  IndexHit,
  Json,
  ModelFailed,
  SearchOptions,
  StageContext,
  Tool,
} from "@planloom/plugin/effect"
import { fuseNarrowing, toolDocument } from "@planloom/planning"
import type { Ranking } from "@planloom/planning"
import { asJson, refersTo, text, texts, withSummary } from "@planloom/stage-kit"
import { templateFor, templatesNamed } from "../chooseTools.ts"
import { domainName, planningBasisOf, requirements } from "../domainOf.ts"
import { orderByRank, gapsIn, uncoveredIn } from "../expansion.ts"
import { queriesOf, type Query } from "../queries.ts"
import { toolsLine } from "../summaries.ts"

interface Input {
  readonly requirements?: Json
  readonly domain?: string
  readonly question?: string
  readonly limit: number
  readonly least?: number
  readonly template?: string
  readonly safety?: ReadonlyArray<string>
}

interface Output {
  readonly tools: ReadonlyArray<string>
  readonly found: boolean
}

/** Tools ranked per query: the trace says at which place a tool was that was not kept. */
const MAX_RANKED = 100

/** Tools added per rerun after coverage found a requirement uncovered. */
const EXTRA_TOOLS_PER_RERUN = 4

const narrowed = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  if (input.requirements === undefined && input.question === undefined) {
    return yield* new StageFailed({
      class: "invalid_request",
      message: "there is nothing to find tools for: give `requirements`, a `question`, or both",
    })
  }
  const ground = planningBasisOf(context, { ...input, requirements: input.requirements ?? [] })
  if (ground instanceof StageFailed) return yield* ground
  const { domain, rules } = ground
  const templates = templatesNamed(context, input.template, undefined)
  if (templates instanceof StageFailed) return yield* templates
  const template = templateFor(templates, rules)
  const existing = (name: string) => context.tools.some((tool) => tool.name === name)
  // A domain names tools of a package that this workflow may not have.
  const safety = input.safety ?? (domain.safety ?? []).filter(existing)
  const unwanted = rules.requirements.flatMap(({ excludes }) => excludes?.output ?? [])
  const unwantedOf = (tool: Tool) => unwanted.find((output) => tool.outputs.includes(output))
  const usable = context.tools.filter((tool) => unwantedOf(tool) === undefined)
  const index = yield* context.index(usable.map(toolDocument))
  const uncovered = uncoveredIn(context.feedback)
  const more = EXTRA_TOOLS_PER_RERUN * (context.feedback?.count ?? 0)
  // If the check names uncovered requirements, only their queries are expanded.
  const limit = input.limit + (uncovered.length === 0 ? more : 0)
  const queries = queriesOf(rules.requirements, input.question)
  const hits = yield* searchAll(index, queries, {
    limit: Math.max(MAX_RANKED, limit),
    ...(input.least === undefined ? {} : { least: input.least }),
  })
  const rankings = queries.map(({ name }, at) => ({
    query: name,
    tools: hits[at]!.map(({ id }) => id),
  }))
  const scores = bestScores(hits)
  const unmatched = rankings.flatMap(({ query, tools }) => (tools.length === 0 ? [query] : []))
  const fuse = (ranked: ReadonlyArray<Ranking>, missing: ReadonlyArray<string>) =>
    fuseNarrowing({
      rankings: ranked,
      template: template?.tools ?? [],
      safety,
      limit,
      missing: { queries: missing, more: Math.max(1, more) },
      known: usable.map(({ name }) => name),
    })
  const first = fuse(rankings, uncovered)
  const gaps = gapsIn(rules, first.tools, usable)
  const ranked = rankings.map((one) => {
    const gap = gaps.find(({ query }) => query === one.query)
    return gap === undefined ? one : { ...one, tools: orderByRank(gap.capable, one.tools) }
  })
  const fused =
    gaps.length === 0 ? first : fuse(ranked, [...uncovered, ...gaps.map(({ query }) => query)])
  const refused = context.tools.flatMap((tool) => {
    const output = unwantedOf(tool)
    return output === undefined
      ? []
      : [{ tool: tool.name, kept: false, why: `the user wants no ${output}` }]
  })
  // A curated tool with an unwanted output appears in the trace once.
  const trace = [
    ...fused.trace.filter(({ tool }) => !refused.some((one) => one.tool === tool)),
    ...refused,
  ].map((one) => ({ ...one, score: scores.get(one.tool) ?? 0 }))
  yield* context.note("narrowing", asJson({ limit, queries, unmatched }))
  const output: Json = {
    tools: fused.tools,
    found: unmatched.length < queries.length,
    unmatched,
    trace: trace.map(asJson),
    ...(template === undefined ? {} : { template: template.name }),
  }
  return output
})

/** In one call of the embedder, if the index can. */
const searchAll = (
  index: BuiltIndex,
  queries: ReadonlyArray<Query>,
  options: SearchOptions,
): Effect.Effect<ReadonlyArray<ReadonlyArray<IndexHit>>, ModelFailed> => {
  const asked = queries.map(({ text: query }) => query)
  return (
    index.searchAll?.(asked, options) ??
    Effect.forEach(asked, (query) => index.search(query, options))
  )
}

/** The best score of each tool, to two digits. */
const bestScores = (hits: ReadonlyArray<ReadonlyArray<IndexHit>>): ReadonlyMap<string, number> => {
  const scores = new Map<string, number>()
  for (const { id, score } of hits.flat())
    scores.set(id, Math.max(scores.get(id) ?? 0, Math.round(score * 100) / 100))
  return scores
}

export const narrow = stageKind<Input>({
  id: "narrow",
  summary: "Finds the few tools a plan for these requirements needs.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      requirements,
      domain: domainName,
      question: {
        ...text,
        description: "the user's own words, added to the combined query; enough by itself",
      },
      limit: { type: "integer", minimum: 1, maximum: 64, default: 10 },
      least: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "the score, 0 to 1, that a tool must have to be found; 0.1 is one shared word",
      },
      template: {
        ...text,
        description: "whose curated tools to keep; the best-fitting template's when absent",
      },
      safety: {
        ...texts,
        description:
          "tools that every plan may choose from, if the workflow has them; the domain's own when absent",
      },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["tools", "found", "unmatched", "trace"],
    properties: {
      tools: texts,
      found: { type: "boolean", description: "whether a search found any tool" },
      unmatched: {
        ...texts,
        description: "requirements for which no tool was found; `all` is the combined query",
      },
      trace: {
        type: "array",
        items: {
          type: "object",
          required: ["tool", "kept", "why", "score"],
          properties: {
            tool: text,
            kept: { type: "boolean" },
            why: text,
            score: { type: "number" },
          },
        },
      },
      template: text,
    },
  },
  searches: "always",
  refers: refersTo({ safety: "tool", template: "PlanTemplate" }),
  // One for each requirement, and one for the question.
  asks: ({ open, with: given }) => ({
    searches: given["requirements"] === undefined && !open.includes("requirements") ? 1 : Infinity,
  }),
  run: withSummary(narrowed, (output, _, context) => {
    const { found, tools } = output as unknown as Output
    const line = toolsLine(tools, context.tools.length)
    return found ? line : `no tool found; ${line}`
  }),
})
