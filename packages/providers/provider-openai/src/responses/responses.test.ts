/** The Responses API with the real SDK against a server that speaks its wire format. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { JsonObject, Message, ModelRequest } from "@planloom/plugin/effect"
import { collectReply } from "@planloom/provider-kit"
import { wireServer, type WireAnswer } from "@planloom/testing"
import type { ServerConfig } from "../config.ts"
import { openai } from "../openai.ts"
import { serverOptions } from "../options.ts"

const host = { root: ".", secret: () => "sk-not-a-real-key" }
const responses = { api: "responses" } as const

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "gpt-6.1-sol",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

const setup = (answer: WireAnswer, given: ServerConfig = {}) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers: [answer] })),
      (open) => Effect.promise(() => open.close()),
    )
    const config = { servers: { openai: { base_url: `${server.url}/v1`, ...given } } }
    const provider = openai(serverOptions("openai", config, host))
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

describe("the API of a request to OpenAI", () => {
  it.effect("is the one that the model needs, unless the project declares it", () =>
    Effect.gen(function* () {
      const path = (model: string, given: ServerConfig = {}) =>
        Effect.gen(function* () {
          const { generate, server } = yield* setup({ text: "hi" }, given)
          yield* generate(request({ model }))
          return server.requests[0]!.path
        })
      const [chat, other] = ["/v1/chat/completions", "/v1/responses"]
      assert.strictEqual(yield* path("gpt-4.1"), chat)
      assert.strictEqual(yield* path("gpt-5"), chat)
      assert.strictEqual(yield* path("o3"), chat)
      for (const model of [
        "gpt-6.1-sol",
        "gpt-5.6-luna",
        "gpt-5.4-mini",
        "o3-pro",
        "gpt-5-codex",
      ]) {
        assert.strictEqual(yield* path(model), other, model)
      }
      assert.strictEqual(yield* path("gpt-6.1-sol", { api: "chat" }), chat)
      assert.strictEqual(yield* path("gpt-4.1", responses), other)
      assert.strictEqual(yield* path("gpt-5", { models: { "gpt-5": responses } }), other)
    }),
  )
})

describe("a request to the Responses API", () => {
  it.effect("maps system texts, messages, images, tool calls and results", () =>
    Effect.gen(function* () {
      const body = yield* sends({
        system: [{ text: "You plan.", cache: true }, { text: "Be brief." }],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "what is this?" },
              { type: "image", mediaType: "image/png", data: "aGk=" },
            ],
          },
          {
            role: "assistant",
            content: "Let me see.",
            toolCalls: [{ id: "a", name: "top", arguments: { limit: 3 } }],
          },
          { role: "tool", toolCallId: "a", name: "top", content: { rows: [1] } },
        ],
        tools,
        reasoning: "max",
        temperature: 0,
        seed: 1,
        stop: ["END"],
        maxTokens: 50,
      })
      assert.deepStrictEqual(body, {
        model: "gpt-6.1-sol",
        store: false,
        include: ["reasoning.encrypted_content"],
        input: [
          {
            type: "message",
            role: "system",
            content: [
              {
                type: "input_text",
                text: "You plan.",
                prompt_cache_breakpoint: { mode: "explicit" },
              },
              { type: "input_text", text: "Be brief." },
            ],
          },
          {
            type: "message",
            role: "user",
            content: [
              { type: "input_text", text: "what is this?" },
              { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" },
            ],
          },
          { role: "assistant", content: "Let me see." },
          { type: "function_call", call_id: "a", name: "top", arguments: '{"limit":3}' },
          { type: "function_call_output", call_id: "a", output: '{"rows":[1]}' },
        ],
        tools: [
          {
            type: "function",
            name: "top",
            description: "Keeps the best.",
            parameters: { type: "object", properties: {} },
            strict: false,
          },
        ],
        reasoning: { effort: "max" },
        max_output_tokens: 50,
      })
    }),
  )

  it.effect("has the schema, or a forced tool", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: {}, additionalProperties: false } as const
      const output = { name: "the plan", schema }
      assert.deepStrictEqual((yield* sends({ output }))["text"], {
        format: { type: "json_schema", name: "the_plan", schema, strict: true },
      })
      const forced = yield* sends({ output: { ...output, form: "tool" } })
      assert.deepStrictEqual(forced["tool_choice"], { type: "function", name: "the_plan" })
    }),
  )

  it("omits the settings that the API does not have, and reports them", () => {
    const { omits } = openai(serverOptions("openai", {}, host))
    assert.sameMembers([...omits!("gpt-6.1-sol")], ["top_k", "temperature", "stop", "seed"])
  })
})

describe("a reply of the Responses API", () => {
  it.effect("is the same whole and streamed, and its reasoning is apart from its text", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({
        text: "North leads.",
        reasoning: "Which region?",
        tool_calls: [{ name: "top", arguments: { limit: 3 } }],
        cached: 2,
      })
      const asked = request({ tools })
      const whole = yield* generate(asked)
      const streamed = collectReply(yield* Stream.runCollect(stream(asked)))
      assert.deepStrictEqual(streamed, whole)
      assert.strictEqual(whole.text, "North leads.")
      assert.strictEqual(whole.reasoning, "Which region?")
      assert.strictEqual(whole.finish, "tool_calls")
      assert.deepStrictEqual(whole.usage, { input: 7, output: 3, cached: 2 })
    }),
  )

  it.effect("returns its reasoning items with the results of its calls, encrypted", () =>
    Effect.gen(function* () {
      const { generate, sent } = yield* setup({
        reasoning: "Which region?",
        tool_calls: [{ name: "top", arguments: {} }],
      })
      const { text: content, toolCalls } = yield* generate(request({ tools }))
      const messages: ReadonlyArray<Message> = [
        ...request().messages,
        { role: "assistant", content, toolCalls },
        { role: "tool", toolCallId: toolCalls[0]!.id, name: "top", content: 1 },
      ]
      yield* generate(request({ tools, messages }))
      const input = sent()["input"] as unknown as ReadonlyArray<JsonObject>
      assert.deepStrictEqual(
        input.map(({ type }) => type),
        ["message", "reasoning", "function_call", "function_call_output"],
      )
      assert.strictEqual(input[1]!["encrypted_content"], "c2ln")
      yield* generate(request({ model: "gpt-6-luna", tools, messages }))
      assert.notInclude(JSON.stringify(sent()), "c2ln")
    }),
  )

  it.effect("that is cut off, or whose answer is a tool's arguments, says so in its finish", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({ text: "North", cut: true })
      assert.strictEqual((yield* generate(request())).finish, "length")
      const parts = yield* Stream.runCollect(stream(request()))
      assert.strictEqual(collectReply(parts).finish, "length")
      const answer = yield* setup({ tool_calls: [{ name: "plan", arguments: { a: 1 } }] })
      const schema = { type: "object", properties: { a: { type: "integer" } } } as const
      const forced = request({ output: { name: "plan", schema, form: "tool" } })
      for (const reply of [
        yield* answer.generate(forced),
        collectReply(yield* Stream.runCollect(answer.stream(forced))),
      ]) {
        assert.strictEqual(reply.text, '{"a":1}')
        assert.deepStrictEqual([reply.finish, reply.toolCalls], ["stop", []])
      }
    }),
  )

  it.effect("that failed has the class of its error", () =>
    Effect.gen(function* () {
      const error = { code: "rate_limit_exceeded", message: "slow down" }
      const failed = { status: "failed", error, output: [] }
      const { generate, stream } = yield* setup({
        raw: { body: failed, events: [{ type: "response.failed", response: failed }] },
      })
      for (const asked of [generate(request()), Stream.runCollect(stream(request()))]) {
        const failure = yield* Effect.flip(asked as Effect.Effect<unknown, { class: string }>)
        assert.strictEqual(failure.class, "rate_limit")
      }
    }),
  )
})
