/** Models that ask as often as they may, with tools, reviewers and an embedder: what a run takes, and what is planned for it. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type RunFailed, type RunResult } from "@planloom/core"
import { load } from "@planloom/embed"
import { memorySessions } from "../../../../engine/core/src/run/session/memorySessions.ts"
import { estimateRun, type Work } from "@planloom/estimate"
import {
  definePlugin,
  subagent,
  ToolFailed,
  type Embedder,
  type Reranker,
  type ToolSource,
} from "@planloom/plugin/effect"
import type { Facts } from "@planloom/plugin/facts"
import documents from "@planloom/documents"
import retrieval from "@planloom/retrieval"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import subagents from "@planloom/subagents"
import * as Effect from "effect/Effect"
import { askingProvider, type Asker, type Strategy } from "./askingModel.ts"
import { inner } from "./randomWorkflow.ts"

const tool = (name: string) => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read" as const,
  searches: 0,
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

/** Its service counts more tokens than the texts have. */
const reranker: Reranker = {
  id: "length",
  summary: "Orders by length.",
  model: "own/length",
  rerank: (_, texts) =>
    Effect.succeed({ scores: texts.map(({ length }) => length), tokens: 500 * texts.length }),
}

const folder = mkdtempSync(join(tmpdir(), "planloom-plan-"))
for (const library of ["notes", "papers"]) {
  mkdirSync(join(folder, library))
  for (const name of ["a", "b", "c"])
    writeFileSync(join(folder, library, `${name}.md`), `# Ping ${name}\n\nPing me by ${name}.\n`)
}
writeFileSync(join(folder, "inner.yaml"), inner)
writeFileSync(
  join(folder, "examples.yaml"),
  JSON.stringify({
    apiVersion: "planloom/v1",
    kind: "Examples",
    examples: ["hot", "cold"].map((topic) => ({
      inputs: { topic },
      output: { text: topic },
      expect: {},
    })),
  }),
)

const loaded = <A>(body: string, asker: Asker, use: (pipeline: Pipeline) => Effect.Effect<A>) => {
  let facts: Facts = new Map()
  const world = definePlugin({
    id: "world",
    summary: "Models, tools and reviewers.",
    components: {
      providers: ["anthropic", "openai", "google"].map((id) =>
        askingProvider(id, () => facts, asker),
      ),
      tools: [tools],
      embedders: [embedder],
      rerankers: [reranker],
      subagents: [rewriter("rewriter", "quality"), rewriter("guard", "compliance")],
    },
  })
  const path = join(folder, "random.yaml")
  return Effect.scoped(
    Effect.flatMap(
      load(path, {
        extraPlugins: [stages, shadow, subagents, retrieval, documents, world],
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

export interface Spent {
  readonly calls: number
  readonly tokens: number
  readonly cost: number
  readonly refused: number
  readonly toolCalls: number
  /** Requests to models that were sent. */
  readonly requests: number
  /** Tokens of the largest of them. */
  readonly largest: number
}

const defaults = { topic: "leaves", list: [1, 2] }

/** The spending of the last of some turns. */
export const spentBy = async (body: string, act: Strategy, turns = 1): Promise<Spent> => {
  const asker: Asker = { act, refused: 0, requests: 0, largest: 0 }
  const sessions = memorySessions()
  const result: RunResult = await Effect.runPromise(
    loaded(body, asker, (pipeline) =>
      Effect.map(
        Effect.forEach(Array.from({ length: turns }), () =>
          Effect.match(run(pipeline, {}, turns === 1 ? {} : { session: "s", sessions }), {
            onFailure: (failure) => (failure as RunFailed).result,
            onSuccess: (ended) => ended,
          }),
        ),
        (results) => results.at(-1)!,
      ),
    ) as Effect.Effect<RunResult>,
  )
  const { cost, inputTokens, modelCalls, outputTokens, toolCalls } = result.usage
  return {
    calls: modelCalls,
    tokens: inputTokens + outputTokens,
    cost,
    refused: asker.refused,
    toolCalls,
    requests: asker.requests,
    largest: asker.largest,
  }
}

const quiet: Asker = { act: () => "good", refused: 0, requests: 0, largest: 0 }

export const plannedFor = (body: string): Promise<Work> =>
  Effect.runPromise(
    loaded(body, quiet, (pipeline) =>
      Effect.map(
        estimateRun(pipeline, { inputs: defaults, user: {}, stages: {}, run: { id: "" } }),
        ({ worst }) => worst.total,
      ),
    ) as Effect.Effect<Work>,
  )
