/** A stage kind that asks hop by hop: the first hop in full, later ones in the mode `routing`. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  stageKind,
  type ModelRequest,
  type Provider,
  type RunEvent,
  type ToolSource,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "../src/run/run.ts"

const HOPS = 3

const tools: ToolSource = {
  id: "tools",
  summary: "Tools of a test.",
  list: Effect.succeed({
    tools: ["rate", "to_support"].map((name) => ({
      name,
      summary: `Does ${name}.`,
      capabilities: [],
      inputs: {},
      outputs: [],
      params: { type: "object" },
    })),
  }),
  call: () => Effect.succeed({ value: null }),
}

const chain = stageKind({
  id: "chain",
  summary: "Asks until a hop answers.",
  input: { type: "object", properties: {} },
  output: { type: "string" },
  model: (_, { model }) =>
    Effect.gen(function* () {
      let text = ""
      for (let hop = 0; hop < HOPS; hop++) {
        const reply = yield* model.text({
          messages: [{ role: "user", content: "Send money." }],
          prompt: { mode: hop === 0 ? "full" : "routing" },
          tools: ["rate", { tool: "to_support", form: "schema", ends: true }],
        })
        text = reply.text
      }
      return text
    }),
})

const prompts = {
  base_prompt: "You are a helpful assistant of a company that sends money.",
  agent_description: "You explain rates, quotes and transfers.",
  navigation: "Hand over what others do.",
  user_profile: "The person is ${{ inputs.name }}, a customer since 2019.",
  routing_identity: "You route.",
  user_name: "The person is ${{ inputs.name }}.",
}

/** The requests of a run of the chain, and its warnings. */
const hops = (modes = "") =>
  Effect.gen(function* () {
    const requests: Array<ModelRequest> = []
    const events: Array<RunEvent> = []
    const provider: Provider = {
      id: "scripted",
      summary: "Keeps its requests.",
      generate: (request) =>
        Effect.sync(() => {
          requests.push(request)
          return {
            text: "ok",
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage: { input: 1, output: 1 },
          }
        }),
    }
    const folder = mkdtempSync(join(tmpdir(), "planloom-chain-"))
    for (const [name, text] of Object.entries(prompts)) {
      writeFileSync(join(folder, `${name}.md`), text)
    }
    const path = join(folder, "workflow.yaml")
    const files = Object.keys(prompts).map((name) => `${name}: ${name}.md`)
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: hops
inputs: { name: { type: string, default: Bo } }
prompts: { ${files.join(", ")} }
${modes}
stages: [{ id: one, uses: chain, model: scripted/one, prompt: { use: base_prompt, mode: minimal } }]
outputs: { text: { type: string, value: "\${{ stages.one.output }}" } }
`,
    )
    const components = { stages: [chain], providers: [provider], tools: [tools] }
    const { pipeline } = yield* load(path, {
      extraPlugins: [definePlugin({ id: "test", summary: "Test.", components })],
    })
    yield* run(pipeline, {}, { onEvent: (event) => events.push(event) })
    return { requests, noted: events.filter(({ type }) => type === "Noted") }
  })

describe("a chain in a workflow without declared modes", () => {
  it.effect("asks its first hop in full and later hops with short sections and navigation", () =>
    Effect.gen(function* () {
      const { noted, requests } = yield* hops()
      const names = requests.map(({ tools: declared }) => declared?.map(({ name }) => name))
      assert.deepStrictEqual(names, [["rate", "to_support"], ["to_support"], ["to_support"]])
      assert.deepStrictEqual(requests[0]?.system, [
        {
          text: [prompts.base_prompt, prompts.agent_description, prompts.navigation].join("\n\n"),
          cache: true,
        },
        { text: "The person is Bo, a customer since 2019." },
      ])
      const routing = [
        { text: `${prompts.routing_identity}\n\n${prompts.navigation}`, cache: true },
        { text: "The person is Bo." },
      ]
      assert.deepStrictEqual(requests[1]?.system, routing)
      assert.deepStrictEqual(requests[2]?.system, routing)
      assert.deepStrictEqual(noted, [])
    }),
  )

  it.effect("uses the mode of the workflow where it declares one of that name", () =>
    Effect.gen(function* () {
      const { requests } = yield* hops(
        "modes: { routing: { sections: [navigation], tools: none } }",
      )
      assert.lengthOf(requests[0]?.tools ?? [], 2)
      assert.deepStrictEqual(requests[1]?.system, [{ text: prompts.navigation, cache: true }])
      assert.isUndefined(requests[1]?.tools)
    }),
  )
})
