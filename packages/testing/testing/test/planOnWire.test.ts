/** Plans of native tool calls, through the real SDKs of three services: what they are offered, and that nothing is called. */
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { definePlugin, ToolFailed, type JsonObject } from "@planloom/plugin/effect"
import type { WireRequest } from "../src/double/wire/wireServer.ts"
import { runOnWire } from "./wireWorkflow.ts"

const called: Array<string> = []

const tools = definePlugin({
  id: "t",
  summary: "Tools.",
  components: {
    tools: [
      {
        id: "t",
        summary: "Tools.",
        list: Effect.succeed({
          tools: ["market.pairs", "market.safety"].map((name) => ({
            name,
            summary: `Does ${name}.`,
            capabilities: [],
            inputs: {},
            outputs: [],
            effect: "read" as const,
            params: {
              type: "object" as const,
              required: ["of"],
              additionalProperties: false,
              properties: { of: { type: "string" as const } },
            },
          })),
        }),
        call: ({ tool }) => {
          called.push(tool)
          return Effect.fail(new ToolFailed({ tool, class: "tool_error", message: "was called" }))
        },
      },
    ],
  },
})

const body = (model: string, more = "") => `
defaults: { model: ${model} }
stages: [{ id: one, uses: plan, with: { request: Is PEPE safe?${more} } }]
outputs: { plan: { value: "\${{ stages.one.output }}" } }
`

/** Names of the workflow's tools that a service was given. */
const offered = ({ body: sent }: WireRequest): ReadonlyArray<string> => [
  ...new Set(JSON.stringify(sent).match(/market__\w+/g)),
]

const planOf = (outputs: JsonObject | undefined) => {
  const { plan } = outputs!["plan"] as unknown as {
    readonly plan: { readonly steps: ReadonlyArray<JsonObject> }
  }
  return plan.steps.map(({ id, params, tool }) => [id, tool, params])
}

describe.each(["anthropic/claude-sonnet-5", "google/gemini-3.8-flash", "openai/gpt-5.6-luna"])(
  "a plan of %s, whose facts list tools",
  (model) => {
    it("is made of the calls of one reply, which are not made", async () => {
      const { failure, outputs, requests } = await runOnWire(body(model), {
        answers: [
          {
            tool_calls: [
              { name: "market__pairs", arguments: { of: "PEPE" } },
              { name: "market__safety", arguments: { of: "0xa1" } },
            ],
          },
        ],
        more: [tools],
      })
      assert.isUndefined(failure)
      assert.deepStrictEqual(planOf(outputs), [
        ["market.pairs", "market.pairs", { of: "PEPE" }],
        ["market.safety", "market.safety", { of: "0xa1" }],
      ])
      assert.strictEqual(requests.length, 1)
      assert.deepStrictEqual(offered(requests[0]!), ["market__pairs", "market__safety"])
      assert.deepStrictEqual(called, [])
    })

    it("is asked for as JSON, without tools, with `calling: json`", async () => {
      const steps = [{ id: "a", tool: "market.pairs", params: { of: "PEPE" } }]
      const { outputs, requests } = await runOnWire(body(model, ", calling: json"), {
        answers: [{ json: { plan: { steps } } }],
        more: [tools],
      })
      assert.deepStrictEqual(planOf(outputs), [["a", "market.pairs", { of: "PEPE" }]])
      assert.deepStrictEqual(offered(requests[0]!), [])
    })
  },
)

it("a plan of a model without facts is asked for as JSON", async () => {
  const steps = [{ id: "a", tool: "market.pairs", params: { of: "PEPE" } }]
  const { outputs, requests } = await runOnWire(body("local/unknown"), {
    answers: [{ json: { plan: { steps } } }],
    more: [tools],
  })
  assert.strictEqual(planOf(outputs).length, 1)
  assert.deepStrictEqual(offered(requests[0]!), [])
})
