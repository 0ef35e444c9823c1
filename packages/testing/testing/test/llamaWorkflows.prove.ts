/** Workflows against a real llama.cpp server: both stages of the device assistant, the data analyst, agents, corrections, shared prefixes. */
import { cpSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, assert, describe, it } from "vitest"
import { definePlugin, type Plugin, type RunEvent, type Wait } from "@planloom/plugin/effect"
import { llamaServer, ownModel, type LlamaServer } from "./llama/LlamaServer.ts"
import { matrix, tokensOf } from "./llama/matrix.ts"
import { runOnLlama, type LlamaRun, type LlamaWorkflow } from "./llama/runOnLlama.ts"

const root = join(import.meta.dirname, "../../../..")

/** The tools of the example on a copy of its folder. */
const device = async (): Promise<Plugin> => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-device-"))
  cpSync(join(root, "examples/device/device"), folder, { recursive: true })
  const path = join(root, "examples/device/plugin.ts")
  const { default: plugin } = (await import(path)) as { readonly default: Plugin }
  const { config: _config, ...rest } = plugin
  return { ...rest, setup: (_given, host) => plugin.setup!({ folder }, host) }
}

const assistant = (
  server: LlamaServer,
  message: string,
  { set = [], ...given }: LlamaWorkflow = {},
): Promise<LlamaRun> =>
  runOnLlama(server, "workflows/device_assistant.yaml", {
    plugins: { "../examples/device/plugin.ts": device },
    set: [{ path: "models.planner.try", value: ["llamacpp/tiny"] }, ...set],
    ...given,
    inputs: { message, today: "2026-11-20", ...given.inputs },
  })

const rungsOf = ({ events }: LlamaRun): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "ReplyRead" ? [`${event.path} ${event.rung}`] : []))

const calledTools = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "ToolCalled" ? [event.tool] : []))

const agent = (model: string) => `
models: { main: { try: [llamacpp/${model}], temperature: 0, max_tokens: 300 } }
stages:
  - { id: work, uses: agent, model: main, with: { task: Convert 1 EUR., tools: [rate], max_turns: 2 } }
outputs: { stopped: { type: string, value: "\${{ stages.work.output.stopped }}" } }
`
const rates = definePlugin({
  id: "rates",
  summary: "Rates.",
  components: {
    tools: [
      {
        id: "rates",
        summary: "Rates.",
        list: Effect.succeed({
          tools: [
            {
              name: "rate",
              summary: "Gives the rate of a currency.",
              capabilities: [],
              inputs: {},
              outputs: [],
              effect: "read" as const,
              params: {
                type: "object",
                properties: { of: { type: "string" } },
                required: ["of"],
                additionalProperties: false,
              },
            },
          ],
        }),
        call: () => Effect.succeed({ value: 1.25 }),
      },
    ],
  },
})

matrix({ afterAll, describe, it }, "llama.cpp: workflows", (row) => {
  for (const template of [undefined, "hermes", "mistral"] as const) {
    row(
      `the device assistant plans and acts (template: ${template ?? "the model's"})`,
      async () => {
        await using server = await llamaServer(template === undefined ? {} : { template })
        const ran = await assistant(server, "find my resume")
        assert.isUndefined(ran.failure)
        if (ownModel === undefined) {
          assert.deepStrictEqual(ran.result.degraded, [])
          assert.deepStrictEqual(rungsOf(ran), ["plan direct", "act direct"])
          assert.lengthOf(calledTools(ran.events), 1)
        }
        return `${calledTools(ran.events).join()}, ${tokensOf(ran.usages)}`
      },
    )
  }

  row("a write that the words do not settle asks for approval", async (context) => {
    if (ownModel !== undefined) context.skip("needs a model whose plan is known")
    await using server = await llamaServer({ model: { word: "on", prefers: "a" } })
    const asked: Array<Wait> = []
    const ran = await assistant(server, "make it nicer in here", {
      options: {
        answer: (wait) => {
          asked.push(wait)
          return { approved: false }
        },
      },
    })
    assert.lengthOf(asked, 1, JSON.stringify(ran.failure))
    return `${JSON.stringify(asked[0]).slice(0, 80)}, ${tokensOf(ran.usages)}`
  })

  row("a cut reply is corrected by a second one where roles must alternate", async () => {
    await using server = await llamaServer({ template: "mistral" })
    const ran = await assistant(server, "find my resume", {
      set: [{ path: "models.planner.max_tokens", value: 12 }],
    })
    assert.isUndefined(ran.failure)
    assert.isAtLeast(ran.usages.length, 2)
    return `${rungsOf(ran).join()}, ${tokensOf(ran.usages)}`
  })

  const caches = {
    "one slot with host cache": {},
    "two slots without host cache": { slots: 2, args: ["--cache-ram", "0"] },
    "one slot without host cache": { args: ["--cache-ram", "0"] },
  }
  for (const [name, options] of Object.entries(caches)) {
    row(`the second turn of the assistant on ${name}`, async () => {
      await using server = await llamaServer(options)
      const first = await assistant(server, "find my resume")
      const second = await assistant(server, "find my tax form")
      assert.isUndefined(second.failure)
      if (ownModel === undefined) assert.lengthOf([...first.usages, ...second.usages], 4)
      return tokensOf([...first.usages, ...second.usages])
    })
  }

  row(
    "complete plans on one slot without host cache keep the start of the prompt",
    async (context) => {
      if (ownModel !== undefined) context.skip("needs a model whose plan is known")
      // Its plan is `tell_time`, which has no params.
      const model = { word: "what", prefers: "at" }
      await using server = await llamaServer({ model, args: ["--cache-ram", "0"] })
      const first = await assistant(server, "what time is it")
      const second = await assistant(server, "how late is it")
      assert.lengthOf([...first.usages, ...second.usages], 2)
      const [{ cached = 0, input } = { input: 0 }] = second.usages
      assert.isBelow(input - cached, 100)
      return tokensOf([...first.usages, ...second.usages])
    },
  )

  row("the data analyst answers with a model in every stage", async () => {
    await using server = await llamaServer()
    const ran = await runOnLlama(server, "workflows/data_analyst.yaml", {
      inputs: { question: "revenue by region", data: join(root, "examples/data/sales.csv") },
      set: [
        {
          path: "models",
          value: {
            planner: { try: ["llamacpp/tiny"], otherwise: "mechanical", max_tokens: 600 },
          },
        },
        { path: "defaults", value: { model: "planner" } },
      ],
      // Words that the data does not have are asked about.
      options: {
        workspace: mkdtempSync(join(tmpdir(), "planloom-analyst-")),
        answer: () => "leave it out",
      },
    })
    const { failure } = ran
    // Its words make no sense, and the plan is refused for that.
    assert.include([undefined, "assertion"], failure?.class, failure?.message)
    return `${rungsOf(ran).join()}, ${tokensOf(ran.usages)}`
  })

  row("an agent calls tools as JSON in its text", async () => {
    await using server = await llamaServer({ model: { word: "find", prefers: "cr" } })
    const ran = await runOnLlama(server, agent("text"), { more: [rates] })
    assert.isUndefined(ran.failure)
    return `${JSON.stringify(ran.result.outputs)}, calls: ${calledTools(ran.events).join()}, ${tokensOf(ran.usages)}`
  })

  row("an agent calls tools natively", async () => {
    await using server = await llamaServer({
      template: "hermes",
      model: { word: "find", calls: true },
    })
    const ran = await runOnLlama(server, agent("native"), { more: [rates] })
    assert.isUndefined(ran.failure)
    return `${JSON.stringify(ran.result.outputs)}, calls: ${calledTools(ran.events).join()}, ${tokensOf(ran.usages)}`
  })
})
