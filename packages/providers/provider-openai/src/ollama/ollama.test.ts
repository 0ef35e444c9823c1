/** Ollama's own API over HTTP, against a server that speaks its wire format. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { JsonObject, Message, ModelFailed, ModelRequest } from "@planloom/plugin/effect"
import { collectReply } from "@planloom/provider-kit"
import { wireServer, type WireAnswer } from "@planloom/testing"
import type { ServerConfig } from "../config.ts"
import { openai } from "../openai.ts"
import { serverOptions } from "../options.ts"

const host = { root: ".", secret: () => undefined }

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "qwen3:1.7b",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

const setup = (answer: WireAnswer, given: ServerConfig = {}) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers: [answer], models: ["qwen3:1.7b"] })),
      (open) => Effect.promise(() => open.close()),
    )
    const config = { servers: { ollama: { base_url: `${server.url}/v1`, ...given } } }
    const provider = openai(serverOptions("ollama", config, host))
    return {
      provider,
      server,
      generate: provider.generate!,
      stream: provider.stream!,
      sent: (): JsonObject => server.requests.at(-1)!.body,
    }
  })

const sends = (more: Partial<ModelRequest>, given: ServerConfig = {}) =>
  Effect.gen(function* () {
    const { generate, sent } = yield* setup({ text: "{}" }, given)
    yield* generate(request(more))
    return sent()
  })

const tools = [
  { name: "top", description: "Keeps the best.", parameters: { type: "object", properties: {} } },
]
const base = { model: "qwen3:1.7b", stream: false, truncate: false, shift: false }
const asked = [{ role: "user", content: "sales by region" }]

describe("a request to Ollama", () => {
  it.effect("sets the context length and refuses silent truncation", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sends({}), {
        ...base,
        messages: asked,
        options: { num_ctx: 8192 },
      })
      const given = {
        num_ctx: 4096,
        keep_alive: "30m",
        body: { options: { min_p: 0.1 } },
        models: { qwen3: { num_ctx: 16_384 } },
      }
      assert.deepStrictEqual(yield* sends({}, given), {
        ...base,
        messages: asked,
        keep_alive: "30m",
        options: { num_ctx: 16_384, min_p: 0.1 },
      })
    }),
  )

  it.effect("maps every setting, thinking and the schema to Ollama's fields", () =>
    Effect.gen(function* () {
      const schema = { anyOf: [{ type: "string" }, { type: "integer" }] }
      const body = yield* sends({
        temperature: 0.1,
        topK: 20,
        seed: 7,
        stop: ["END"],
        maxTokens: 350,
        reasoning: "none",
        output: { name: "plan", schema },
      })
      assert.deepStrictEqual(body, {
        ...base,
        messages: asked,
        think: false,
        format: schema,
        options: {
          num_ctx: 8192,
          temperature: 0.1,
          top_k: 20,
          seed: 7,
          stop: ["END"],
          num_predict: 350,
        },
      })
      assert.strictEqual((yield* sends({ reasoning: "max" }))["think"], "max")
      const forced = { name: "plan", schema: { type: "object" }, form: "tool" } as const
      const tool = yield* sends({ output: forced })
      assert.deepStrictEqual([tool["format"], tool["tools"]], [{ type: "object" }, undefined])
    }),
  )

  it.effect("maps system texts, images, tool calls, thoughts and results", () =>
    Effect.gen(function* () {
      const { generate, sent } = yield* setup({
        reasoning: "Which region?",
        tool_calls: [{ name: "top", arguments: { limit: 3 } }],
      })
      const question: Message = {
        role: "user",
        content: [
          { type: "text", text: "what is this?" },
          { type: "image", mediaType: "image/png", data: "aGk=" },
        ],
      }
      const more = { system: [{ text: "You plan." }, { text: "Be brief." }], tools }
      const { text: content, toolCalls } = yield* generate(
        request({ ...more, messages: [question] }),
      )
      yield* generate(
        request({
          ...more,
          messages: [
            question,
            { role: "assistant", content, toolCalls },
            { role: "tool", toolCallId: toolCalls[0]!.id, name: "top", content: { rows: [1] } },
          ],
        }),
      )
      assert.deepStrictEqual(sent()["messages"], [
        { role: "system", content: "You plan.\n\nBe brief." },
        { role: "user", content: "what is this?", images: ["aGk="] },
        {
          role: "assistant",
          content: "",
          thinking: "Which region?",
          tool_calls: [{ id: "call_0", function: { name: "top", arguments: { limit: 3 } } }],
        },
        { role: "tool", tool_call_id: "call_0", tool_name: "top", content: '{"rows":[1]}' },
      ])
    }),
  )

  it.effect("goes to chat completions with api: chat", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup({ text: "hi" }, { api: "chat" })
      yield* generate(request())
      assert.strictEqual(server.requests[0]!.path, "/v1/chat/completions")
    }),
  )
})

describe("a reply of Ollama", () => {
  it.effect("is the same whole and streamed", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({
        text: "North leads.",
        reasoning: "Which region?",
        tool_calls: [{ name: "top", arguments: {} }],
      })
      const whole = yield* generate(request({ tools }))
      const parts = yield* Stream.runCollect(stream(request({ tools })))
      assert.deepStrictEqual(collectReply(parts), whole)
      assert.isAbove(parts.filter(({ type }) => type === "text").length, 1)
      assert.strictEqual(whole.reasoning, "Which region?")
      assert.deepStrictEqual(whole.usage, { input: 7, output: 3 })
    }),
  )

  const failing = (answer: WireAnswer) =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup(answer)
      const whole = yield* Effect.flip(generate(request()))
      const streamed = yield* Effect.flip(Stream.runDrain(stream(request())))
      return [whole, streamed] satisfies ReadonlyArray<ModelFailed>
    })

  it.effect("of a model that is not pulled names the command that pulls it", () =>
    Effect.gen(function* () {
      const body = { error: "model 'qwen3:1.7b' not found" }
      for (const failure of yield* failing({ raw: { status: 404, body } })) {
        assert.strictEqual(failure.class, "no_model")
        assert.include(failure.message, "`ollama pull qwen3:1.7b` gets it")
      }
    }),
  )

  it.effect("to a prompt that is too long has the class context_length", () =>
    Effect.gen(function* () {
      for (const failure of yield* failing({ fail: { class: "context_length" } })) {
        assert.strictEqual(failure.class, "context_length")
        assert.include(failure.message, "num_ctx")
      }
    }),
  )

  it.effect("that breaks off with an error in the stream fails with its message", () =>
    Effect.gen(function* () {
      const { stream } = yield* setup({
        raw: {
          headers: { "content-type": "application/x-ndjson" },
          body: '{"message":{"role":"assistant","content":"No"},"done":false}\n{"error":"llama runner process has terminated"}\n',
        },
      })
      const failure = yield* Effect.flip(Stream.runDrain(stream(request())))
      assert.strictEqual(failure.class, "unavailable")
      assert.include(failure.message, "terminated")
    }),
  )

  it.effect("that was cut off has the finish length", () =>
    Effect.gen(function* () {
      const { generate } = yield* setup({ text: "North", cut: true })
      assert.strictEqual((yield* generate(request())).finish, "length")
    }),
  )
})
