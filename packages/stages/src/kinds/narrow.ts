/** Stage kind `narrow`: selects the few tools that a plan for the requirements needs. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, StageContext, Tool } from "@planloom/plugin/effect"
import { fuseNarrowing } from "@planloom/planning"
import type { Ranking } from "@planloom/planning"
import { asJson, refersTo, text, texts, withSummary } from "@planloom/stage-kit"
import { templateFor, templatesNamed } from "../chooseTools.ts"
import { domainName, planningBasisOf, requirements } from "../domainOf.ts"
import { orderByRank, gapsIn, uncoveredIn } from "../expansion.ts"
import { queriesOf } from "../queries.ts"
import { toolsLine } from "../summaries.ts"
import { toolDocument } from "../toolDocument.ts"

interface Input {
  readonly requirements: Json
  readonly domain?: string
  readonly question?: string
  readonly limit: number
  readonly template?: string
  readonly safety?: ReadonlyArray<string>
}

/** Tools added per rerun after coverage found a requirement uncovered. */
const EXTRA_TOOLS_PER_RERUN = 4

const narrowed = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const ground = planningBasisOf(context, input)
  if (ground instanceof StageFailed) return yield* ground
  const { domain, rules } = ground
  const templates = templatesNamed(context, input.template, undefined)
  if (templates instanceof StageFailed) return yield* templates
  const template = templateFor(templates, rules)
  const safety = input.safety ?? domain.safety ?? []
  const unwanted = rules.requirements.flatMap(({ excludes }) => excludes?.output ?? [])
  const unwantedOf = (tool: Tool) => unwanted.find((output) => tool.outputs.includes(output))
  const usable = context.tools.filter((tool) => unwantedOf(tool) === undefined)
  const index = yield* context.index(usable.map(toolDocument))
  const uncovered = uncoveredIn(context.feedback)
  const more = EXTRA_TOOLS_PER_RERUN * (context.feedback?.count ?? 0)
  // If the check names uncovered requirements, only their queries are expanded.
  const limit = input.limit + (uncovered.length === 0 ? more : 0)
  const queries = queriesOf(rules.requirements, input.question)
  const rankings = yield* Effect.forEach(queries, ({ name, text: query }) =>
    Effect.map(index.search(query, { limit: input.limit + more }), (hits) => ({
      query: name,
      tools: hits.map(({ id }) => id),
    })),
  )
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
  ]
  yield* context.note("narrowing", asJson({ limit, queries, trace }))
  const output: Json = {
    tools: fused.tools,
    trace: trace.map(asJson),
    ...(template === undefined ? {} : { template: template.name }),
  }
  return output
})

export const narrow = stageKind<Input>({
  id: "narrow",
  summary: "Finds the few tools a plan for these requirements needs.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["requirements"],
    properties: {
      requirements,
      domain: domainName,
      question: { ...text, description: "the user's own words, added to the combined query" },
      limit: { type: "integer", minimum: 1, maximum: 64, default: 10 },
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
    required: ["tools", "trace"],
    properties: {
      tools: texts,
      trace: {
        type: "array",
        items: {
          type: "object",
          required: ["tool", "kept", "why"],
          properties: { tool: text, kept: { type: "boolean" }, why: text },
        },
      },
      template: text,
    },
  },
  refers: refersTo({ safety: "tool", template: "PlanTemplate" }),
  run: withSummary(narrowed, (output, _, context) =>
    toolsLine((output as { readonly tools: ReadonlyArray<string> }).tools, context.tools.length),
  ),
})
