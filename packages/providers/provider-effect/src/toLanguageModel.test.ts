/** A scripted provider, called through Effect AI's `LanguageModel` service. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Schema, Stream } from "effect"
import { LanguageModel, Prompt, Tool, Toolkit } from "effect/ai"
import {
  ModelFailed,
  type FailureClass,
  type ModelReply,
  type ModelRequest,
  type Provider,
  type Usage,
} from "@planloom/plugin/effect"
import { fromLanguageModel } from "./fromLanguageModel.ts"
import { languageModelLayer, toLanguageModel } from "./toLanguageModel.ts"

type Reply = Omit<ModelReply, "model">

const reply = (more: Partial<Reply> = {}): Reply => ({
  text: "North leads",
  reasoning: "",
  toolCalls: [],
  finish: "stop",
  usage: { input: 10, output: 5, cached: 3 },
  ...more,
})

const setup = (given: Reply | ModelFailed) => {
  const requests: Array<ModelRequest> = []
  const provider: Provider = {
    id: "acme",
    summary: "scripted answers",
    generate: (request) => {
      requests.push(request)
      return given instanceof ModelFailed ? Effect.fail(given) : Effect.succeed(given)
    },
  }
  return { requests, provider }
}

const top = Tool.make("top", {
  description: "Keeps the best.",
  parameters: Schema.Struct({ limit: Schema.Int }),
  success: Schema.Struct({ rows: Schema.Int }),
})
const toolkit = Toolkit.make(top)
const handlers = toolkit.toLayer({ top: ({ limit }) => Effect.succeed({ rows: limit }) })

describe("a provider as a LanguageModel", () => {
  it.effect("returns text, reasoning, finish reason and tokens", () =>
    Effect.gen(function* () {
      const { requests, provider } = setup(reply({ reasoning: "largest sum" }))
      const response = yield* LanguageModel.generateText({ prompt: "sales?" }).pipe(
        Effect.provide(languageModelLayer(provider, "small", { temperature: 0, topK: 4 })),
      )
      assert.strictEqual(response.text, "North leads")
      assert.strictEqual(response.reasoningText, "largest sum")
      assert.strictEqual(response.finishReason, "stop")
      assert.strictEqual(response.usage.inputTokens.total, 10)
      assert.strictEqual(response.usage.inputTokens.cacheRead, 3)
      assert.strictEqual(response.usage.outputTokens.total, 5)
      assert.deepStrictEqual(requests, [
        {
          model: "small",
          system: [],
          messages: [{ role: "user", content: [{ type: "text", text: "sales?" }] }],
          temperature: 0,
          topK: 4,
        },
      ])
    }),
  )

  it.effect("streams runs of reasoning and text, and the finish last", () =>
    Effect.gen(function* () {
      const { provider } = setup(reply({ reasoning: "largest sum" }))
      const streaming: Provider = {
        id: "acme",
        summary: "streams",
        stream: () =>
          Stream.make(
            { type: "reasoning", text: "largest" },
            { type: "reasoning", text: " sum" },
            { type: "text", text: "North" },
            { type: "finish", reason: "length", usage: { input: 1, output: 2 } },
          ),
      }
      for (const [given, types] of [
        [
          streaming,
          [
            "reasoning-start",
            "reasoning-delta",
            "reasoning-delta",
            "reasoning-end",
            "text-start",
            "text-delta",
            "text-end",
            "finish",
          ],
        ],
        [
          provider,
          [
            "reasoning-start",
            "reasoning-delta",
            "reasoning-end",
            "text-start",
            "text-delta",
            "text-end",
            "finish",
          ],
        ],
      ] as const) {
        const model = yield* toLanguageModel(given, "small")
        const parts = yield* Stream.runCollect(model.streamText({ prompt: "sales?" }))
        assert.deepStrictEqual(
          parts.map(({ type }): string => type),
          [...types],
        )
      }
    }),
  )

  it.effect("offers tools, lets Effect run them, and returns the service's signature", () =>
    Effect.gen(function* () {
      const call = { id: "c1", name: "top", arguments: { limit: 3 }, signature: "c2ln" }
      const { requests, provider } = setup(reply({ toolCalls: [call], finish: "tool_calls" }))
      const model = yield* toLanguageModel(provider, "small")
      const first = yield* model.generateText({ prompt: "the best three", toolkit })
      assert.strictEqual(requests[0]!.tools?.[0]?.name, "top")
      assert.nestedPropertyVal(
        requests[0]!.tools?.[0],
        "parameters.properties.limit.type",
        "integer",
      )
      assert.deepInclude(first.toolResults[0], { id: "c1", result: { rows: 3 } })
      const history = Prompt.concat(
        Prompt.make("the best three"),
        Prompt.fromResponseParts(first.content),
      )
      yield* model.generateText({ prompt: history, toolkit, toolChoice: "none" })
      assert.deepStrictEqual(requests[1]!.messages.slice(1), [
        {
          role: "assistant",
          content: [{ type: "text", text: "North leads" }],
          toolCalls: [call],
        },
        { role: "tool", toolCallId: "c1", name: "top", content: { rows: 3 } },
      ])
      assert.notProperty(requests[1], "tools")
    }).pipe(Effect.provide(handlers)),
  )

  it.effect("requests JSON with its schema and decodes it", () =>
    Effect.gen(function* () {
      const { requests, provider } = setup(reply({ text: '{"count":3}' }))
      const model = yield* toLanguageModel(provider, "small")
      const { value } = yield* model.generateObject({
        prompt: "how many?",
        objectName: "counted",
        schema: Schema.Struct({ count: Schema.Int }),
      })
      assert.deepStrictEqual(value, { count: 3 })
      assert.strictEqual(requests[0]!.output?.name, "counted")
      assert.nestedPropertyVal(requests[0]!.output, "schema.properties.count.type", "integer")
    }),
  )

  const reasons: ReadonlyArray<readonly [FailureClass, string]> = [
    ["rate_limit", "RateLimitError"],
    ["overloaded", "InternalProviderError"],
    ["timeout", "NetworkError"],
    ["unavailable", "InternalProviderError"],
    ["auth", "AuthenticationError"],
    ["invalid_request", "InvalidRequestError"],
    ["content_filter", "ContentPolicyError"],
    ["context_length", "InvalidRequestError"],
    ["invalid_output", "InvalidOutputError"],
    ["internal", "UnknownError"],
  ]
  it.effect.each(reasons)("converts the failure class %s to %s", ([reason, tag]) =>
    Effect.gen(function* () {
      const message = "it went wrong"
      const { provider } = setup(
        new ModelFailed({ class: reason, model: "acme/small", message, retryAfter: 2000 }),
      )
      const model = yield* toLanguageModel(provider, "small")
      const error = yield* Effect.flip(model.generateText({ prompt: "?" }))
      assert.strictEqual(error.reason._tag, tag)
      if (error.reason._tag === "RateLimitError") {
        assert.strictEqual(Duration.toMillis(error.reason.retryAfter!), 2000)
      } else {
        assert.include(error.message, message)
      }
    }),
  )

  it.effect("reports usage and the service's request id, whole and streamed", () =>
    Effect.gen(function* () {
      const usage = { input: 20, output: 5, cached: 8, written: 5 }
      const { provider } = setup(reply({ usage, requestId: "req_7" }))
      const model = yield* toLanguageModel(provider, "small")
      const { content } = yield* model.generateText({ prompt: "sales?" })
      const streamed = yield* Stream.runCollect(model.streamText({ prompt: "sales?" }))
      for (const parts of [content, streamed]) {
        const metadata = parts.find(({ type }) => type === "response-metadata")
        assert.deepInclude(metadata, { id: "req_7" })
        const last = parts.at(-1)
        assert.nestedInclude(last, {
          type: "finish",
          "usage.inputTokens.total": 20,
          "usage.inputTokens.uncached": 7,
          "usage.inputTokens.cacheRead": 8,
          "usage.inputTokens.cacheWrite": 5,
          "usage.outputTokens.total": 5,
        })
      }
    }),
  )

  const usages: ReadonlyArray<Usage> = [
    { input: 20, output: 5 },
    { input: 20, output: 5, cached: 8, written: 5 },
    { input: 20, output: 5, cached: 8, written: 5, estimated: true },
    { input: 0, output: 0, estimated: true },
  ]
  it.effect.each(usages)("converted back to a provider reports the same usage: %o", (usage) =>
    Effect.gen(function* () {
      const given = reply({ usage, requestId: "req_7" })
      const { provider } = setup(given)
      const back = fromLanguageModel("acme", yield* toLanguageModel(provider, "small"))
      const request: ModelRequest = { model: "small", system: [], messages: [] }
      assert.deepStrictEqual(yield* back.generate!(request), given)
      assert.deepStrictEqual((yield* Stream.runCollect(back.stream!(request))).at(-1), {
        type: "finish",
        reason: "stop",
        usage,
        requestId: "req_7",
      })
    }),
  )

  it.effect("converted back to a provider sends the same requests and replies", () =>
    Effect.gen(function* () {
      const given = reply({
        reasoning: "largest sum",
        toolCalls: [{ id: "c1", name: "top", arguments: { limit: 3 } }],
        finish: "tool_calls",
      })
      const { requests, provider } = setup(given)
      const model = yield* toLanguageModel(provider, "small")
      const request: ModelRequest = {
        model: "small",
        system: [{ text: "You plan." }],
        messages: [
          { role: "user", content: [{ type: "image", mediaType: "image/png", data: "aGk=" }] },
          {
            role: "assistant",
            content: [],
            toolCalls: [{ id: "c0", name: "top", arguments: {} }],
          },
          { role: "tool", toolCallId: "c0", name: "top", content: [1] },
        ],
        tools: [{ name: "top", description: "Best.", parameters: { type: "object" } }],
      }
      const got = yield* fromLanguageModel("acme", model).generate!(request)
      assert.deepStrictEqual(got, given)
      assert.deepStrictEqual(requests, [request])
    }),
  )
})
