/** What is known of a model, from the catalog to the request that is sent. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { definePlugin, stageKind, type ModelRequest, type Provider } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import { load } from "./Workflow.ts"

const asking = (provider: string) => {
  const requests: Array<ModelRequest> = []
  const model: Provider = {
    id: provider,
    summary: "Remembers what it was asked.",
    generate: (request) =>
      Effect.sync(() => {
        requests.push(request)
        return {
          text: '"yes"',
          reasoning: "",
          toolCalls: [],
          finish: "stop" as const,
          usage: { input: 1_000_000, output: 0 },
        }
      }),
  }
  const ask = stageKind<object>({
    id: "ask",
    summary: "Asks.",
    input: { type: "object" },
    output: true,
    model: (_, context) =>
      Effect.map(
        context.model.text({ messages: [{ role: "user", content: "?" }] }),
        ({ text }) => text,
      ),
  })
  const judge = stageKind<object>({
    id: "judge",
    summary: "Asks for JSON.",
    input: { type: "object" },
    output: true,
    model: (_, context) =>
      context.model.json(
        { messages: [{ role: "user", content: "?" }] },
        { name: "verdict", schema: { type: "string" } },
      ),
  })
  const plugin = definePlugin({
    id: "test",
    summary: "for this test",
    components: { providers: [model], stages: [ask, judge] },
  })
  return { plugin, requests }
}

const project = (files: { readonly [name: string]: string }) => {
  const folder = mkdtempSync(join(tmpdir(), "facts-"))
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), `apiVersion: planloom/v1\n${text}`)
  }
  return join(folder, "workflow.yaml")
}

const workflow = (model: string) => `kind: Workflow
name: test
models: { m: ${model} }
policies: { budget: { cost_usd: 100 } }
stages: [{ id: a, uses: ask, model: m }]
outputs: {}
`

describe("a model of the catalog", () => {
  it.effect("has its price without a project file", () =>
    Effect.gen(function* () {
      const { plugin } = asking("openai")
      const path = project({ "workflow.yaml": workflow("openai/gpt-4o-mini") })
      const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
      const { usage } = yield* run(pipeline, {})
      assert.strictEqual(usage.cost, 0.15)
    }),
  )

  it.effect("has the price of the project's own file where there is one", () =>
    Effect.gen(function* () {
      const { plugin } = asking("openai")
      const path = project({
        "workflow.yaml": workflow("openai/gpt-4o-mini"),
        "planloom.yaml": "kind: Project\nmodel_facts: [ours.yaml]\n",
        "ours.yaml":
          "kind: Models\nmodels: { openai/gpt-4o-mini: { price: { input: 7, output: 9 } } }\n",
      })
      const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
      assert.strictEqual((yield* run(pipeline, {})).usage.cost, 7)
    }),
  )

  it.effect("is called with at most its own reply limit, and without one unless configured", () =>
    Effect.gen(function* () {
      const { plugin, requests } = asking("openai")
      for (const model of [
        "{ try: [openai/gpt-4o-mini], max_tokens: 90000 }",
        "{ try: [openai/gpt-4o-mini], max_tokens: 90 }",
        "openai/gpt-4o-mini",
      ]) {
        const path = project({ "workflow.yaml": workflow(model) })
        const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
        yield* run(pipeline, {})
      }
      assert.deepStrictEqual(
        requests.map(({ maxTokens }) => maxTokens),
        [16384, 90, undefined],
      )
    }),
  )

  it.effect("is asked for JSON in its preferred mode, and otherwise in its provider's", () =>
    Effect.gen(function* () {
      const { plugin, requests } = asking("openai")
      for (const model of [
        "openai/through-a-tool",
        "openai/gpt-4o-mini",
        "{ try: [openai/through-a-tool], structured: text }",
      ]) {
        const path = project({
          "workflow.yaml": workflow(model).replace("uses: ask", "uses: judge"),
          "planloom.yaml": "kind: Project\nmodel_facts: [ours.yaml]\n",
          "ours.yaml":
            "kind: Models\nmodels: { openai/through-a-tool: { structured: tool, price: { input: 1, output: 1 } } }\n",
        })
        const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
        yield* run(pipeline, {})
      }
      assert.deepStrictEqual(
        requests.map(({ output }) => output?.form),
        ["tool", undefined, "text"],
      )
    }),
  )
})
