/** Tools that a hook turns into lines of the prompt: the model of a loop reads and calls them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  hook,
  stageKind,
  type Ask,
  type ModelRequest,
  type Provider,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "./collect.ts"
import { hookedWorkflow } from "./hooked.ts"

const ask: Ask = { messages: [{ role: "user", content: "What is the rate?" }], tools: ["rate"] }

const works = stageKind<object>({
  id: "works",
  summary: "Works with tools.",
  input: { type: "object" },
  output: { type: "string" },
  model: (_, { model }) => Effect.map(model.agent(ask, { turns: 3 }), ({ reply }) => reply.text),
})

const shrinks = hook<"tools_build">({
  id: "shrinks",
  summary: "Offers each tool by one line.",
  point: "tools_build",
  kind: "transform",
  run: ({ offers }) => ({ offers: offers.map(({ tool }) => ({ tool, form: "index" })) }),
})

/** A run with a model that calls `rate` by `call_tool`, then answers. */
const ran = Effect.gen(function* () {
  const requests: Array<ModelRequest> = []
  const called: Array<string> = []
  const provider: Provider = {
    id: "fake",
    summary: "Calls a tool.",
    generate: (request) =>
      Effect.sync(() => {
        requests.push(request)
        const call = { id: "1", name: "call_tool", arguments: { name: "rate", arguments: {} } }
        const isFirst = requests.length === 1
        return {
          text: isFirst ? "" : "It is 17.45.",
          reasoning: "",
          toolCalls: isFirst ? [call] : [],
          finish: isFirst ? ("tool_calls" as const) : ("stop" as const),
          usage: { input: 1, output: 1 },
        }
      }),
  }
  const rate: ToolSource = {
    id: "t",
    summary: "Rates.",
    list: Effect.succeed({
      tools: [
        {
          name: "rate",
          summary: "Gives the rate.",
          capabilities: [],
          inputs: {},
          outputs: [],
          effect: "read",
          params: { type: "object" },
        },
      ],
    }),
    call: ({ tool }) =>
      Effect.sync(() => {
        called.push(tool)
        return { value: 17.45 }
      }),
  }
  const { pipeline } = yield* hookedWorkflow(
    `
hooks: [{ use: shrinks, on_error: fail }]
stages: [{ id: work, uses: works, model: fake/any }]
outputs: { said: "\${{ stages.work.output }}" }
`,
    [shrinks],
    { stages: [works], providers: [provider], tools: [rate] },
  )
  const { result } = yield* collect(pipeline)
  return { called, requests, result }
})

describe("a hook that offers tools by one line", () => {
  it.effect("leaves a loop's model the tools to read and call them", () =>
    Effect.gen(function* () {
      const { called, requests, result } = yield* ran
      assert.strictEqual(result.status, "succeeded")
      assert.deepStrictEqual(called, ["rate"])
      const text = JSON.stringify(requests[0])
      for (const part of ["read_tool_documentation", "call_tool", "- rate()"]) {
        assert.include(text, part)
      }
    }),
  )
})
