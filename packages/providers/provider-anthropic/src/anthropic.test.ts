/** The provider with the real SDK against a server that speaks Anthropic's wire format. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { JsonObject, ModelRequest } from "@planloom/plugin/effect"
import { wireServer, type WireAnswer } from "@planloom/testing"
import { anthropic } from "./anthropic.ts"
import type { Config } from "./config.ts"
import { parseOptions } from "./options.ts"

const KEY = "sk-ant-api-not-a-real-key"

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "claude-small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

/** The server, a provider connected to it, and the body of the last request. */
const setup = (answer: WireAnswer, config: Config = {}, key: string | undefined = KEY) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ key: KEY, answers: [answer] })),
      (open) => Effect.promise(() => open.close()),
    )
    const provider = anthropic(
      parseOptions({ base_url: server.url, ...config }, { root: ".", secret: () => key }),
    )
    const sent = (): JsonObject => server.requests.at(-1)!.body
    return { server, sent, generate: provider.generate!, stream: provider.stream!, provider }
  })

const sends = (more: Partial<ModelRequest>, config: Config = {}, answer: WireAnswer = {}) =>
  Effect.gen(function* () {
    const { generate, sent } = yield* setup(answer, config)
    yield* generate(request(more))
    return sent()
  })

describe("a request to Anthropic", () => {
  it.effect("marks the ends of cacheable prefixes, at most as many as the service accepts", () =>
    Effect.gen(function* () {
      const body = yield* sends({
        system: ["a", "b", "c", "d", "e", "f"].map((text) => ({ text, cache: text !== "f" })),
      })
      const marks = (body["system"] as unknown as ReadonlyArray<JsonObject>).map(
        ({ cache_control, text }) => [text, cache_control !== undefined],
      )
      assert.deepStrictEqual(marks, [
        ["a", false],
        ["b", true],
        ["c", true],
        ["d", true],
        ["e", true],
        ["f", false],
      ])
    }),
  )

  it.effect("has a mark less in its system text where the newest results of tools have one", () =>
    Effect.gen(function* () {
      const body = yield* sends({
        system: ["a", "b", "c", "d"].map((text) => ({ text, cache: true })),
        messages: [
          { role: "user", content: "Which is best?" },
          { role: "assistant", content: "", toolCalls: [{ id: "a", name: "top", arguments: {} }] },
          { role: "tool", toolCallId: "a", name: "top", content: "b" },
        ],
      })
      const marks = (JSON.stringify(body).match(/"cache_control"/g) ?? []).length
      assert.strictEqual(marks, 4)
      assert.notProperty(
        (body["system"] as unknown as ReadonlyArray<JsonObject>)[0],
        "cache_control",
      )
    }),
  )

  it.effect("maps messages, images, tool calls and results to the Messages API", () =>
    Effect.gen(function* () {
      const body = yield* sends({
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "what is this?" },
              { type: "image", mediaType: "image/png", data: "aGk=" },
              { type: "image", mediaType: "image/png", data: "https://example.org/a.png" },
            ],
          },
          {
            role: "assistant",
            content: "",
            toolCalls: [
              { id: "a", name: "top", arguments: { limit: 3 } },
              { id: "b", name: "top", arguments: {} },
            ],
          },
          { role: "tool", toolCallId: "a", name: "top", content: { rows: [1] } },
          { role: "tool", toolCallId: "b", name: "top", content: "nothing" },
          { role: "user", content: "and now?" },
        ],
        tools: [{ name: "top", description: "Keeps the best.", parameters: { type: "object" } }],
        stop: ["END"],
      })
      assert.deepStrictEqual(body["messages"], [
        {
          role: "user",
          content: [
            { type: "text", text: "what is this?" },
            {
              type: "image",
              source: { type: "base64", media_type: "image/png", data: "aGk=" },
            },
            { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "a", name: "top", input: { limit: 3 } },
            { type: "tool_use", id: "b", name: "top", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: '{"rows":[1]}' },
            { type: "tool_result", tool_use_id: "b", content: "nothing" },
            { type: "text", text: "and now?" },
          ],
        },
      ])
      assert.deepStrictEqual(body["stop_sequences"], ["END"])
      assert.deepStrictEqual(body["tools"], [
        {
          name: "top",
          description: "Keeps the best.",
          input_schema: { type: "object" },
          // No section of the system prompt is marked after it.
          cache_control: { type: "ephemeral" },
        },
      ])
    }),
  )

  it.effect("always contains max_tokens, which the service requires", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* sends({}))["max_tokens"], 8192)
      assert.strictEqual((yield* sends({}, { max_tokens: 100 }))["max_tokens"], 100)
      assert.strictEqual((yield* sends({ maxTokens: 5 }, { max_tokens: 100 }))["max_tokens"], 5)
    }),
  )

  it.effect("contains temperature and top-k only for API versions that accept them", () =>
    Effect.gen(function* () {
      const newer = yield* sends({ temperature: 0, topK: 4 })
      assert.notProperty(newer, "temperature")
      assert.notProperty(newer, "top_k")
      const { generate, server } = yield* setup({}, { api_version: "2023-06-01" })
      yield* generate(request({ temperature: 0, topK: 4 }))
      const [{ body, headers }] = server.requests as [(typeof server.requests)[0]]
      assert.strictEqual(body["temperature"], 0)
      assert.strictEqual(body["top_k"], 4)
      assert.strictEqual(headers["anthropic-version"], "2023-06-01")
    }),
  )

  it("reports the settings it omits", () => {
    const omits = (config: Config) =>
      anthropic(parseOptions(config, { root: ".", secret: () => KEY })).omits!("claude-haiku-4-5")
    assert.deepStrictEqual(omits({}), ["temperature", "top_k", "seed"])
    assert.deepStrictEqual(omits({ api_version: "2023-06-01" }), ["seed"])
  })

  it.effect("asks each generation to reason in its own way", () =>
    Effect.gen(function* () {
      const fields = (more: Partial<ModelRequest>) =>
        Effect.map(sends(more), ({ output_config, thinking }) => [thinking, output_config])
      const adaptive = { type: "adaptive", display: "summarized" }
      const budget = (budget_tokens: number) => ({
        type: "enabled",
        budget_tokens,
        display: "summarized",
      })
      assert.deepStrictEqual(yield* fields({ model: "claude-opus-5-5" }), [undefined, undefined])
      assert.deepStrictEqual(yield* fields({ model: "claude-opus-5-5", reasoning: "low" }), [
        adaptive,
        { effort: "low" },
      ])
      assert.deepStrictEqual(yield* fields({ model: "claude-haiku-5-5", reasoning: "max" }), [
        adaptive,
        { effort: "max" },
      ])
      assert.deepStrictEqual(yield* fields({ model: "claude-haiku-5-5", reasoning: "none" }), [
        { type: "disabled" },
        undefined,
      ])
      assert.deepStrictEqual(yield* fields({ model: "claude-sonnet-5-5", reasoning: "none" }), [
        { type: "between_tools" },
        undefined,
      ])
      const old = { model: "claude-haiku-4-5", maxTokens: 20_000 }
      assert.deepStrictEqual(yield* fields({ ...old, reasoning: "low" }), [budget(4096), undefined])
      assert.deepStrictEqual(yield* fields({ ...old, reasoning: "max" }), [
        budget(10_000),
        undefined,
      ])
    }),
  )

  it.effect("has the effort and the schema in one field", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: {}, additionalProperties: false } as const
      const body = yield* sends({
        model: "claude-opus-5-5",
        reasoning: "high",
        output: { name: "plan", schema },
      })
      assert.deepStrictEqual(body["output_config"], {
        effort: "high",
        format: { type: "json_schema", schema },
      })
    }),
  )

  it.effect("omits the temperature while a model with a budget reasons", () =>
    Effect.gen(function* () {
      const config = { api_version: "2023-06-01" }
      const more = { model: "claude-haiku-4-5", temperature: 0.5, topK: 3 }
      assert.deepInclude(yield* sends(more, config), { temperature: 0.5, top_k: 3 })
      const thinks = yield* sends({ ...more, reasoning: "low" }, config)
      assert.notProperty(thinks, "temperature")
      assert.notProperty(thinks, "top_k")
      const { provider } = yield* setup({}, config)
      assert.include(provider.omits!("claude-haiku-4-5", "low"), "temperature")
      assert.notInclude(provider.omits!("claude-haiku-4-5", "none"), "temperature")
    }),
  )

  it.effect("has no budget after results of calls without thoughts", () =>
    Effect.gen(function* () {
      const body = yield* sends({
        model: "claude-haiku-4-5",
        reasoning: "low",
        messages: [{ role: "tool", toolCallId: "a", name: "top", content: 1 }],
      })
      assert.notProperty(body, "thinking")
    }),
  )
})

describe("JSON output of Anthropic", () => {
  const closed = {
    type: "object",
    properties: { count: { type: "integer", minimum: 1 } },
    required: ["count"],
    additionalProperties: false,
  }
  const open = { type: "object", additionalProperties: { type: "number" } }

  it.effect(
    "uses native output for a closed schema, with unsupported keywords as descriptions",
    () =>
      Effect.gen(function* () {
        const body = yield* sends({ output: { name: "counted", schema: closed } })
        assert.deepStrictEqual(body["output_config"], {
          format: {
            type: "json_schema",
            schema: {
              type: "object",
              properties: { count: { type: "integer", description: "{minimum: 1}" } },
              required: ["count"],
              additionalProperties: false,
            },
          },
        })
        assert.notProperty(body, "tools")
      }),
  )

  it.effect("uses a forced tool for an open schema, whole and streamed", () =>
    Effect.gen(function* () {
      const { generate, sent, stream } = yield* setup({
        tool_calls: [{ name: "sums", arguments: { north: 3.5 } }],
      })
      const asked = request({ output: { name: "sums", schema: open } })
      const whole = yield* generate(asked)
      assert.deepStrictEqual(sent()["tool_choice"], { type: "tool", name: "sums" })
      assert.deepInclude(whole, { text: '{"north":3.5}', toolCalls: [], finish: "stop" })
      const parts = yield* Stream.runCollect(stream(asked))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, '{"north":3.5}')
      assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
    }),
  )

  it.effect("follows the request's form and forces no tool for native or text", () =>
    Effect.gen(function* () {
      const asked = (schema: object, form: "json_schema" | "tool" | "text", config: Config = {}) =>
        sends({ output: { name: "sums", schema: schema as JsonObject, form } }, config)
      const tool = yield* asked(closed, "tool")
      assert.deepStrictEqual(tool["tool_choice"], { type: "tool", name: "sums" })
      assert.deepStrictEqual(tool["tools"], [
        { name: "sums", description: "Takes the answer.", input_schema: closed },
      ])
      assert.notProperty(tool, "output_config")
      const native = yield* asked(closed, "json_schema")
      assert.nestedPropertyVal(native, "output_config.format.type", "json_schema")
      for (const words of [yield* asked(open, "json_schema"), yield* asked(closed, "text")]) {
        assert.notProperty(words, "tool_choice")
        assert.notProperty(words, "output_config")
      }
      const configured = yield* asked(closed, "tool", { structured: "native" })
      assert.notProperty(configured, "tool_choice")
    }),
  )

  it.effect("falls back to text if tools or the config rule out other forms", () =>
    Effect.gen(function* () {
      const tools = [{ name: "top", description: "Best.", parameters: { type: "object" } }]
      const output = { name: "sums", schema: open }
      const body = yield* sends({ output, tools })
      assert.notProperty(body, "tool_choice")
      assert.notProperty(body, "output_config")
      const asText = yield* sends({ output: { name: "a", schema: closed } }, { structured: "text" })
      assert.notProperty(asText, "output_config")
      const tool = yield* sends({ output: { name: "a b", schema: closed } }, { structured: "tool" })
      assert.deepStrictEqual(tool["tool_choice"], { type: "tool", name: "a_b" })
    }),
  )
})

describe("a reply of Anthropic", () => {
  it.effect("reports cached tokens, the request id and truncation", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({
        text: "North",
        usage: { input: 100, output: 9 },
        cached: 80,
        cut: true,
      })
      const usage = { input: 100, output: 9, cached: 80 }
      const whole = yield* generate(request())
      assert.deepInclude(whole, { usage, finish: "length", requestId: "req_wire" })
      const parts = yield* Stream.runCollect(stream(request()))
      assert.deepStrictEqual(parts.at(-1), {
        type: "finish",
        reason: "length",
        usage,
        requestId: "req_wire",
      })
    }),
  )

  it.effect("ignores unknown fields, parts and events", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({ text: "North leads", fault: "unknown_fields" })
      assert.strictEqual((yield* generate(request())).text, "North leads")
      const parts = yield* Stream.runCollect(stream(request()))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, "North leads")
    }),
  )
})

it.effect.each([
  {
    name: "with duplicate names are given as they were written",
    input: {},
    pieces: ['{"limit": 3, ', '"limit": 300}'],
    given: { arguments: {}, written: '{"limit": 3, "limit": 300}' },
  },
  {
    name: "that came with the start of their block are kept",
    input: { limit: 3 },
    pieces: [],
    given: { arguments: { limit: 3 } },
  },
])("Anthropic's streamed arguments $name", ({ given, input, pieces }) =>
  Effect.gen(function* () {
    const block = { type: "tool_use", id: "a", name: "top", input }
    const events: ReadonlyArray<JsonObject> = [
      { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: block },
      ...pieces.map((partial_json) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ]
    const body = events
      .map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`)
      .join("")
    const headers = { "content-type": "text/event-stream" }
    const { stream } = yield* setup({ raw: { body, headers } })
    const parts = yield* Stream.runCollect(stream(request()))
    const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
    assert.deepStrictEqual(calls, [{ id: "a", name: "top", ...given }])
  }),
)

describe("the Anthropic key", () => {
  it.effect("is reported as missing before a request is sent", () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() => wireServer())
      const provider = anthropic(
        parseOptions({ base_url: server.url }, { root: ".", secret: () => undefined }),
      )
      const failure = yield* Effect.flip(provider.generate!(request()))
      assert.strictEqual(failure.class, "auth")
      assert.include(failure.message, "ANTHROPIC_API_KEY")
      assert.strictEqual(yield* provider.available!, failure.message)
      assert.lengthOf(server.requests, 0)
      yield* Effect.promise(() => server.close())
    }),
  )

  it.effect("is redacted from messages, which name its secret instead", () =>
    Effect.gen(function* () {
      const { generate } = yield* setup({ status: 401, message: `the key ${KEY} is refused` })
      const failure = yield* Effect.flip(generate(request()))
      assert.strictEqual(failure.class, "auth")
      assert.strictEqual(
        failure.message,
        "the key [secret] is refused (the key is ANTHROPIC_API_KEY)",
      )
    }),
  )
})

it.effect("leaving an Anthropic stream early aborts the request", () =>
  Effect.gen(function* () {
    const { server, stream } = yield* setup({ text: "North leads", fault: "stall" })
    const [first] = yield* Stream.runCollect(Stream.take(stream(request()), 1))
    assert.deepStrictEqual(first, { type: "text", text: "North " })
    yield* Effect.promise(() => server.abandoned(1))
  }),
)
