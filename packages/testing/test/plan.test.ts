/** The worst case of a dry run against runs whose models ask as often as they may. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type RunFailed, type RunResult } from "@planloom/core"
import { load } from "@planloom/embed"
import { estimateRun, type Work } from "@planloom/estimate"
import {
  definePlugin,
  subagent,
  ToolFailed,
  type Embedder,
  type ToolSource,
} from "@planloom/plugin/effect"
import type { Facts } from "@planloom/plugin/facts"
import retrieval from "@planloom/retrieval"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import subagents from "@planloom/subagents"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../.config/cases.ts"
import { acts } from "./plan/acts.ts"
import { askingProvider, type Asker } from "./plan/askingModel.ts"
import { inner, randomWorkflow } from "./plan/randomWorkflow.ts"

const tool = (name: string) => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read" as const,
  params: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
})

const tools: ToolSource = {
  id: "pings",
  summary: "Tools.",
  list: Effect.succeed({
    tools: [tool("ping"), { ...tool("think"), asks: [{ way: "json" }] }],
  }),
  call: ({ model, params, tool: name }) =>
    name === "ping" || model === undefined
      ? Effect.succeed({ value: { said: String(params["text"]).repeat(40) } })
      : Effect.matchEffect(
          model.json({ messages: [{ role: "user", content: "Think." }] }, thought),
          {
            onFailure: ({ class: reason, message }) =>
              Effect.fail(new ToolFailed({ class: reason, tool: name, message })),
            onSuccess: (value) => Effect.succeed({ value }),
          },
        ),
}

const thought = {
  name: "thought",
  schema: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
}

const rewriter = (id: string, of: "quality" | "compliance") =>
  subagent({
    id,
    summary: "Writes the text anew.",
    class: of,
    can: ["pass", "replace", "block"],
    at: "whole",
    scope: "last",
    asks: () => [{ way: "text" }],
    review: ({ text }, { model }) =>
      Effect.map(model.text({ messages: [{ role: "user", content: text }] }), () => ({
        verdict: "replace",
        confidence: 1,
        reason: "it can be better",
        text: `${text}.`,
      })),
  })

const embedder: Embedder = {
  id: "letters",
  summary: "Counts letters.",
  model: "own/letters",
  dimensions: 2,
  embed: (texts) =>
    Effect.succeed({
      vectors: texts.map((one) => Float32Array.from([one.length, 1])),
      tokens: 10 * texts.length,
    }),
}

const folder = mkdtempSync(join(tmpdir(), "planloom-plan-"))
writeFileSync(join(folder, "inner.yaml"), inner)

const loaded = <A>(body: string, asker: Asker, use: (pipeline: Pipeline) => Effect.Effect<A>) => {
  let facts: Facts = new Map()
  const world = definePlugin({
    id: "world",
    summary: "Models, tools and reviewers.",
    components: {
      providers: ["anthropic", "openai"].map((id) => askingProvider(id, () => facts, asker)),
      tools: [tools],
      embedders: [embedder],
      subagents: [rewriter("rewriter", "quality"), rewriter("guard", "compliance")],
    },
  })
  const path = join(folder, "random.yaml")
  return Effect.scoped(
    Effect.flatMap(
      load(path, {
        extraPlugins: [stages, shadow, subagents, retrieval, world],
        texts: new Map([[path, body]]),
      }),
      ({ pipeline }) => {
        facts = pipeline.facts
        return use(pipeline)
      },
    ),
  )
}

type Pipeline = Parameters<typeof estimateRun>[0]

interface Spent {
  readonly calls: number
  readonly tokens: number
  readonly cost: number
  readonly refused: number
}

const defaults = { topic: "leaves", list: [1, 2] }

const spentBy = async (body: string, act: Asker["act"]): Promise<Spent> => {
  const asker: Asker = { act, refused: 0 }
  const result: RunResult = await Effect.runPromise(
    loaded(body, asker, (pipeline) =>
      Effect.match(run(pipeline, {}, {}), {
        onFailure: (failure) => (failure as RunFailed).result,
        onSuccess: (ended) => ended,
      }),
    ) as Effect.Effect<RunResult>,
  )
  const { cost, inputTokens, modelCalls, outputTokens } = result.usage
  return { calls: modelCalls, tokens: inputTokens + outputTokens, cost, refused: asker.refused }
}

const quiet: Asker = { act: () => "good", refused: 0 }

const plannedFor = (body: string): Promise<Work> =>
  Effect.runPromise(
    loaded(body, quiet, (pipeline) =>
      Effect.map(
        estimateRun(pipeline, { inputs: defaults, user: {}, stages: {}, run: { id: "" } }),
        ({ worst }) => worst.total,
      ),
    ) as Effect.Effect<Work>,
  )

/** Rounding of sums of prices. */
const CENT = 1e-9

const exceeded = (planned: Work, spent: Spent): string | undefined => {
  const { calls, cost, refusals, tokens } = planned
  if (spent.calls > calls.most) return `${spent.calls} calls of ${calls.most}`
  if (spent.tokens > tokens.most) return `${spent.tokens} tokens of ${tokens.most}`
  if (cost !== undefined && spent.cost > cost.most + CENT) return `$${spent.cost} of ${cost.most}`
  if (spent.refused > refusals.most) return `${spent.refused} refused of ${refusals.most}`
  return undefined
}

describe("the worst case of a dry run", () => {
  it("is never exceeded by models that ask as often as they may", async () => {
    const shares = { workflows: 0, finite: 0, tokens: 0, half: 0, halfTokens: 0 }
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.nat(), async ({ body }, seed) => {
        const planned = await plannedFor(body)
        shares.workflows++
        let most = 0
        let mostTokens = 0
        for (const act of acts(seed, body)) {
          const spent = await spentBy(body, act)
          most = Math.max(most, spent.calls)
          mostTokens = Math.max(mostTokens, spent.tokens)
          expect(exceeded(planned, spent)).toBeUndefined()
        }
        if (Number.isFinite(planned.calls.most)) {
          shares.finite++
          if (2 * most >= planned.calls.most) shares.half++
        }
        if (Number.isFinite(planned.tokens.most)) shares.tokens++
        if (2 * mostTokens >= planned.tokens.least) shares.halfTokens++
      }),
      { numRuns: cases(10, 10), seed: 3, endOnFailure: true },
    )
    process.stdout.write(`${JSON.stringify(shares)}\n`)
    // Of few workflows a share says little.
    if (shares.workflows < 100) return
    expect(shares.finite / shares.workflows).toBeGreaterThanOrEqual(0.9)
    expect(shares.half / shares.finite).toBeGreaterThanOrEqual(0.7)
  }, 600_000)
})
