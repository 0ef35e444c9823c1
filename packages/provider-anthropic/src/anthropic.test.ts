/** The provider with the real SDK against a server that speaks Anthropic's wire format. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { JsonObject, ModelRequest } from "@planloom/plugin"
import { wireServer, type WireAnswer } from "@planloom/testing"
import { anthropic } from "./anthropic.ts"
import type { Config } from "./config.ts"
import { optionsOf } from "./options.ts"

const KEY = "sk-ant-api-not-a-real-key"

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "claude-small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

/** The server, a provider that asks it, and the body of the last request. */
const asking = (answer: WireAnswer, config: Config = {}, key: string | undefined = KEY) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ key: KEY, answers: [answer] })),
      (open) => Effect.promise(() => open.close()),
    )
    const provider = anthropic(
      optionsOf({ base_url: server.url, ...config }, { root: ".", secret: () => key }),
    )
    const sent = (): JsonObject => server.requests.at(-1)!.body
    return { server, sent, generate: provider.generate!, stream: provider.stream!, provider }
  })

const sends = (more: Partial<ModelRequest>, config: Config = {}, answer: WireAnswer = {}) =>
  Effect.gen(function* () {
    const { generate, sent } = yield* asking(answer, config)
    yield* generate(request(more))
    return sent()
  })

describe("a request", () => {
  it.effect("marks the ends of prefixes worth caching, and no more than the service takes", () =>
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

  it.effect("says messages, images, calls and results in the service's words", () =>
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
        { name: "top", description: "Keeps the best.", input_schema: { type: "object" } },
      ])
    }),
  )

  it.effect("names a limit, for the service wants one", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* sends({}))["max_tokens"], 8192)
      assert.strictEqual((yield* sends({}, { max_tokens: 100 }))["max_tokens"], 100)
      assert.strictEqual((yield* sends({ maxTokens: 5 }, { max_tokens: 100 }))["max_tokens"], 5)
    }),
  )

  it.effect("holds temperature and top-k for versions of the service that know them only", () =>
    Effect.gen(function* () {
      const newer = yield* sends({ temperature: 0, topK: 4 })
      assert.notProperty(newer, "temperature")
      assert.notProperty(newer, "top_k")
      const { generate, server } = yield* asking({}, { api_version: "2023-06-01" })
      yield* generate(request({ temperature: 0, topK: 4 }))
      const [{ body, headers }] = server.requests as [(typeof server.requests)[0]]
      assert.strictEqual(body["temperature"], 0)
      assert.strictEqual(body["top_k"], 4)
      assert.strictEqual(headers["anthropic-version"], "2023-06-01")
    }),
  )

  it("says which settings it leaves out", () => {
    const omits = (config: Config) =>
      anthropic(optionsOf(config, { root: ".", secret: () => KEY })).omits!("claude-haiku-4-5")
    assert.deepStrictEqual(omits({}), ["temperature", "top_k", "seed"])
    assert.deepStrictEqual(omits({ api_version: "2023-06-01" }), ["seed"])
  })

  it.effect("asks for thoughts where it may, and not in the middle of a tool's use", () =>
    Effect.gen(function* () {
      const adaptive = yield* sends({}, { thinking: "adaptive" })
      assert.deepStrictEqual(adaptive["thinking"], { type: "adaptive", display: "summarized" })
      const goesOn = yield* sends(
        { messages: [{ role: "tool", toolCallId: "a", name: "top", content: 1 }] },
        { thinking: 2000 },
      )
      assert.notProperty(goesOn, "thinking")
    }),
  )
})

describe("JSON", () => {
  const closed = {
    type: "object",
    properties: { count: { type: "integer", minimum: 1 } },
    required: ["count"],
    additionalProperties: false,
  }
  const open = { type: "object", additionalProperties: { type: "number" } }

  it.effect("of a closed schema is asked for natively, with what cannot be checked in words", () =>
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

  it.effect("of an open schema comes through a tool, whole and in parts", () =>
    Effect.gen(function* () {
      const { generate, sent, stream } = yield* asking({
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

  it.effect("is asked for as the request wants it, and no tool is forced where it wants none", () =>
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
      const told = yield* asked(closed, "tool", { structured: "native" })
      assert.notProperty(told, "tool_choice")
    }),
  )

  it.effect("is left to the text where tools or the config leave no other way", () =>
    Effect.gen(function* () {
      const tools = [{ name: "top", description: "Best.", parameters: { type: "object" } }]
      const output = { name: "sums", schema: open }
      const body = yield* sends({ output, tools })
      assert.notProperty(body, "tool_choice")
      assert.notProperty(body, "output_config")
      const told = yield* sends({ output: { name: "a", schema: closed } }, { structured: "text" })
      assert.notProperty(told, "output_config")
      const tool = yield* sends({ output: { name: "a b", schema: closed } }, { structured: "tool" })
      assert.deepStrictEqual(tool["tool_choice"], { type: "tool", name: "a_b" })
    }),
  )
})

describe("a reply", () => {
  it.effect("tells cached tokens, the request's id and that it was cut short", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* asking({
        text: "North",
        usage: { input: 100, output: 9 },
        cached: 80,
        cutShort: true,
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

  it.effect("is read past fields, parts and events nobody has heard of", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* asking({ text: "North leads", fault: "unknown_fields" })
      assert.strictEqual((yield* generate(request())).text, "North leads")
      const parts = yield* Stream.runCollect(stream(request()))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, "North leads")
    }),
  )
})

describe("the key", () => {
  it.effect("when missing is told before anybody is asked", () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() => wireServer())
      const provider = anthropic(
        optionsOf({ base_url: server.url }, { root: ".", secret: () => undefined }),
      )
      const failure = yield* Effect.flip(provider.generate!(request()))
      assert.strictEqual(failure.class, "auth")
      assert.include(failure.message, "ANTHROPIC_API_KEY")
      assert.strictEqual(yield* provider.available!, failure.message)
      assert.lengthOf(server.requests, 0)
      yield* Effect.promise(() => server.close())
    }),
  )

  it.effect("is in no message, also when the service repeats it; which one it is, is said", () =>
    Effect.gen(function* () {
      const { generate } = yield* asking({ status: 401, message: `the key ${KEY} is refused` })
      const failure = yield* Effect.flip(generate(request()))
      assert.strictEqual(failure.class, "auth")
      assert.strictEqual(
        failure.message,
        "the key [secret] is refused (the key is ANTHROPIC_API_KEY)",
      )
    }),
  )
})

it.effect("a stream that is left early ends the request", () =>
  Effect.gen(function* () {
    const { server, stream } = yield* asking({ text: "North leads", fault: "stall" })
    const [first] = yield* Stream.runCollect(Stream.take(stream(request()), 1))
    assert.deepStrictEqual(first, { type: "text", text: "North " })
    yield* Effect.promise(() => server.abandoned(1))
  }),
)
