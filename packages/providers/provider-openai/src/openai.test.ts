/** Providers and embedder with the real SDK against a server that speaks OpenAI's wire format. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema, Stream } from "effect"
import type { JsonObject, ModelRequest } from "@planloom/plugin/effect"
import { wireServer, type WireAnswer } from "@planloom/testing"
import { config, type Config, type ServerConfig } from "./config.ts"
import { embedder } from "./embedder.ts"
import { openai } from "./openai.ts"
import { embeddingOptions, serverOptions } from "./options.ts"
import plugin from "./plugin.ts"
import type { ServerId } from "./servers.ts"

const KEY = "sk-not-a-real-key"

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

const host = { root: ".", secret: (name: string) => (name.endsWith("_API_KEY") ? KEY : undefined) }

const opened = (...answers: ReadonlyArray<WireAnswer>) =>
  Effect.acquireRelease(
    Effect.promise(() => wireServer({ answers, models: ["small", "large"] })),
    (open) => Effect.promise(() => open.close()),
  )

const setup = (
  answers: ReadonlyArray<WireAnswer>,
  given: ServerConfig = {},
  id: ServerId = "local",
  more: Config = {},
) =>
  Effect.gen(function* () {
    const server = yield* opened(...answers)
    const all: Config = { ...more, servers: { [id]: { base_url: `${server.url}/v1`, ...given } } }
    const provider = openai(serverOptions(id, all, host))
    return {
      server,
      provider,
      generate: provider.generate!,
      stream: provider.stream!,
      embedder: embedder(embeddingOptions(all, host)),
      sent: (): JsonObject => server.requests.at(-1)!.body,
    }
  })

const sends = (more: Partial<ModelRequest>, given: ServerConfig = {}, id: ServerId = "local") =>
  Effect.gen(function* () {
    const { generate, sent } = yield* setup([{}], given, id)
    yield* generate(request(more))
    return sent()
  })

describe("a request to an OpenAI-compatible server", () => {
  it.effect("maps system texts, messages, images, tool calls and results to the protocol", () =>
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
            content: "",
            toolCalls: [{ id: "a", name: "top", arguments: { limit: 3 } }],
          },
          { role: "tool", toolCallId: "a", name: "top", content: { rows: [1] } },
          { role: "assistant", content: "Done." },
        ],
        tools: [{ name: "top", description: "Keeps the best.", parameters: { type: "object" } }],
      })
      assert.deepStrictEqual(body["messages"], [
        { role: "system", content: "You plan.\n\nBe brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "what is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "top", arguments: '{"limit":3}' } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: '{"rows":[1]}' },
        { role: "assistant", content: "Done." },
      ])
      assert.deepStrictEqual(body["tools"], [
        {
          type: "function",
          function: {
            name: "top",
            description: "Keeps the best.",
            parameters: { type: "object" },
          },
        },
      ])
    }),
  )

  const all = { temperature: 0, topK: 4, seed: 7, maxTokens: 50, stop: ["END"] }

  it.effect("contains only the settings that server and model accept, under their own names", () =>
    Effect.gen(function* () {
      const local = yield* sends(all)
      assert.deepInclude(local, {
        temperature: 0,
        top_k: 4,
        seed: 7,
        max_tokens: 50,
        stop: ["END"],
      })
      const official = yield* sends({ ...all, model: "gpt-4.1" }, {}, "openai")
      assert.deepInclude(official, { temperature: 0, seed: 7, max_completion_tokens: 50 })
      assert.notProperty(official, "top_k")
      assert.notProperty(official, "max_tokens")
      const reasoning = yield* sends({ ...all, model: "gpt-5-mini" }, {}, "openai")
      assert.notProperty(reasoning, "temperature")
      assert.notProperty(reasoning, "stop")
      const reduced = yield* sends(all, { omit: ["seed"], models: { sm: { omit: ["top_k"] } } })
      assert.notProperty(reduced, "seed")
      assert.notProperty(reduced, "top_k")
    }),
  )

  it.effect("includes the configured `body` fields, the model's overriding the server's", () =>
    Effect.gen(function* () {
      const body = yield* sends(
        {},
        {
          body: { keep_alive: "30m", min_p: 0.1 },
          models: { s: { body: { min_p: 0 } }, small: { body: { min_p: 0.2 } } },
        },
      )
      assert.deepInclude(body, { keep_alive: "30m", min_p: 0.2 })
    }),
  )

  it.effect("carries the key if one is set, and no headers from environment variables", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup([{}], { headers: { "x-title": "Planloom" } })
      yield* generate(request())
      const { headers } = server.requests[0]!
      assert.notProperty(headers, "authorization")
      assert.notProperty(headers, "openai-organization")
      assert.strictEqual(headers["x-title"], "Planloom")
      const official = yield* setup([{}], {}, "openai")
      yield* official.generate(request())
      assert.strictEqual(official.server.requests[0]!.headers.authorization, `Bearer ${KEY}`)
    }),
  )

  it.effect("contains the level of reasoning in the field that the server reads", () =>
    Effect.gen(function* () {
      const fields = (id: ServerId, more: Partial<ModelRequest>, given: ServerConfig = {}) =>
        Effect.map(
          sends(more, given, id),
          ({ chat_template_kwargs, reasoning, reasoning_effort, thinking }) =>
            JSON.parse(
              JSON.stringify({ chat_template_kwargs, reasoning, reasoning_effort, thinking }),
            ) as JsonObject,
        )
      assert.deepStrictEqual(yield* fields("openai", { model: "gpt-5" }), {})
      assert.deepStrictEqual(yield* fields("openai", { model: "gpt-5", reasoning: "minimal" }), {
        reasoning_effort: "minimal",
      })
      assert.deepStrictEqual(yield* fields("openai", { model: "gpt-5.2", reasoning: "max" }), {
        reasoning_effort: "xhigh",
      })
      assert.deepStrictEqual(
        yield* fields("openai", { model: "gpt-5.6-luna", reasoning: "max" }, { api: "chat" }),
        {
          reasoning_effort: "max",
        },
      )
      assert.deepStrictEqual(yield* fields("openrouter", { reasoning: "none" }), {
        reasoning: { effort: "none" },
      })
      assert.deepStrictEqual(yield* fields("ollama", { reasoning: "none" }, { api: "chat" }), {
        reasoning_effort: "none",
      })
      for (const id of ["llamacpp", "vllm"] as const) {
        assert.deepStrictEqual(yield* fields(id, { reasoning: "none" }), {
          chat_template_kwargs: { enable_thinking: false },
        })
        assert.deepStrictEqual(yield* fields(id, { reasoning: "high" }), {
          chat_template_kwargs: { enable_thinking: true, reasoning_effort: "high" },
        })
      }
      const deepseek = { reasoning_field: "thinking" } as const
      assert.deepStrictEqual(yield* fields("local", { reasoning: "none" }, deepseek), {
        thinking: { type: "disabled" },
      })
      assert.deepStrictEqual(yield* fields("local", { reasoning: "high" }, deepseek), {
        thinking: { type: "enabled" },
        reasoning_effort: "high",
      })
    }),
  )

  it.effect(
    "returns the reasoning of calls in the field that the server wrote, whole and streamed",
    () =>
      Effect.gen(function* () {
        const call = { id: "a", type: "function", function: { name: "top", arguments: "{}" } }
        const fields = [
          { reasoning_content: "Which region?" },
          { reasoning: "Which region?" },
          {
            reasoning: "Which region?",
            reasoning_details: [
              { type: "reasoning.text", text: "Which region?", signature: "c2ln", index: 0 },
              { type: "reasoning.encrypted", data: "eHh4", index: 1 },
            ],
          },
        ] satisfies ReadonlyArray<JsonObject>
        for (const field of fields) {
          const deltas = [
            ...Object.entries(field).map(([key, value]) => ({ [key]: value })),
            { tool_calls: [{ ...call, index: 0 }] },
          ] as ReadonlyArray<JsonObject>
          const { generate, sent, stream } = yield* setup([
            {
              raw: {
                body: {
                  choices: [
                    {
                      message: { content: null, ...field, tool_calls: [call] },
                      finish_reason: "tool_calls",
                    },
                  ],
                },
                events: [
                  ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
                  { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
                  "[DONE]",
                ],
              },
            },
          ])
          const whole = yield* generate(request())
          const parts = yield* Stream.runCollect(stream(request()))
          const streamed = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
          assert.deepStrictEqual(streamed, whole.toolCalls)
          const next = request({
            messages: [
              { role: "assistant", content: "", toolCalls: whole.toolCalls },
              { role: "tool", toolCallId: "a", name: "top", content: 1 },
            ],
          })
          const returned = Effect.map(Effect.asVoid(generate(next)), () => {
            const [message] = sent()["messages"] as unknown as ReadonlyArray<JsonObject>
            return message!
          })
          const { content: _, role: __, tool_calls: ___, ...more } = yield* returned
          assert.deepStrictEqual(
            more,
            "reasoning_details" in field ? { reasoning_details: field.reasoning_details } : field,
          )
          const other = yield* Effect.andThen(
            generate({ ...next, model: "large" }),
            Effect.sync(() => JSON.stringify(sent())),
          )
          assert.notInclude(other, "Which region?")
        }
      }),
  )

  it("reports the settings it omits for a model", () => {
    const omits = (model: string, id: ServerId, given: ServerConfig = {}) =>
      openai(serverOptions(id, { servers: { [id]: given } }, host)).omits!(model)
    assert.deepStrictEqual(omits("gpt-4o", "openai"), ["top_k"])
    assert.deepStrictEqual(omits("gpt-6.1-sol", "openai"), ["top_k", "temperature", "stop", "seed"])
    assert.deepStrictEqual(omits("qwen3", "ollama"), [])
    assert.deepStrictEqual(omits("any", "local", { omit: ["seed", "max_tokens"] }), ["seed"])
  })

  it.effect("marks prefix ends only for OpenAI models that cache at marks", () =>
    Effect.gen(function* () {
      const system = [{ text: "a", cache: true }, { text: "b" }]
      const first = (model: string, given: ServerConfig = {}, blocks = system) =>
        Effect.map(
          sends({ model, system: blocks }, { api: "chat", ...given }, "openai"),
          ({ messages }) => (messages as unknown as ReadonlyArray<JsonObject>)[0]!["content"],
        )
      const marked = [
        { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } },
        { type: "text", text: "b" },
      ]
      for (const model of ["gpt-5.6-luna", "gpt-6.1-sol"]) {
        assert.deepStrictEqual(yield* first(model), marked)
      }
      for (const model of ["gpt-5", "gpt-4.1", "o3"]) {
        assert.strictEqual(yield* first(model), "a\n\nb")
      }
      assert.strictEqual(yield* first("gpt-6.1-sol", { cache_marks: false }), "a\n\nb")
      assert.strictEqual(yield* first("gpt-6.1-sol", {}, [{ text: "a", cache: false }]), "a")
    }),
  )

  it.effect("sends cache marks to servers that forward them", () =>
    Effect.gen(function* () {
      const body = yield* sends(
        { system: [{ text: "a", cache: true }, { text: "b" }] },
        {},
        "openrouter",
      )
      assert.deepStrictEqual((body["messages"] as unknown as ReadonlyArray<JsonObject>)[0], {
        role: "system",
        content: [
          { type: "text", text: "a", cache_control: { type: "ephemeral" } },
          { type: "text", text: "b" },
        ],
      })
    }),
  )
})

describe("JSON output of an OpenAI-compatible server", () => {
  const strict = {
    type: "object",
    properties: { count: { type: "integer" } },
    required: ["count"],
    additionalProperties: false,
  }
  const output = { name: "the count", schema: strict }
  const refusal: WireAnswer = {
    status: 400,
    message: "'response_format.type' must be 'json_object' or 'text'",
    when: "json_schema",
  }

  it.effect("is requested with its schema, strict if the schema allows it", () =>
    Effect.gen(function* () {
      const body = yield* sends({ output })
      assert.deepStrictEqual(body["response_format"], {
        type: "json_schema",
        json_schema: { name: "the_count", schema: strict, strict: true },
      })
      const loose = yield* sends({ output: { name: "n", schema: { ...strict, required: [] } } })
      assert.nestedPropertyVal(loose, "response_format.json_schema.strict", false)
    }),
  )

  it.effect("uses a forced tool if the request's form is tool", () =>
    Effect.gen(function* () {
      const { generate, sent, stream } = yield* setup([
        { tool_calls: [{ name: "the_count", arguments: { count: 3 } }] },
        { tool_calls: [{ name: "the_count", arguments: { count: 3 } }] },
      ])
      const asked = request({ output: { ...output, form: "tool" } })
      const whole = yield* generate(asked)
      assert.deepStrictEqual(sent()["tools"], [
        {
          type: "function",
          function: {
            name: "the_count",
            description: "Takes the answer.",
            parameters: strict,
            strict: true,
          },
        },
      ])
      assert.strictEqual(sent()["tool_choice"], "required")
      assert.notProperty(sent(), "response_format")
      assert.deepInclude(whole, { text: '{"count":3}', toolCalls: [], finish: "stop" })
      const parts = yield* Stream.runCollect(stream(asked))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, '{"count":3}')
      assert.isFalse(parts.some(({ type }) => type === "tool_call"))
      assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
    }),
  )

  it.effect("is read from the text if the server ignores the tool", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup([{ json: { count: 3 } }, { json: { count: 3 } }])
      const asked = request({ output: { ...output, form: "tool" } })
      assert.strictEqual((yield* generate(asked)).text, '{"count":3}')
      const parts = yield* Stream.runCollect(stream(asked))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, '{"count":3}')
    }),
  )

  it.effect("falls back from a refused tool, and sends a plain request if the form is text", () =>
    Effect.gen(function* () {
      const { generate, sent, server } = yield* setup([
        { status: 400, message: "tool_choice is not supported", when: "tool_choice" },
        { json: { count: 3 } },
        { json: { count: 3 } },
      ])
      yield* generate(request({ output: { ...output, form: "tool" } }))
      assert.strictEqual(server.requests.length, 2)
      assert.nestedPropertyVal(sent(), "response_format.type", "json_schema")
      yield* generate(request({ output: { ...output, form: "text" } }))
      assert.notProperty(sent(), "response_format")
    }),
  )

  it.effect("uses the project's declared mode over the request's form", () =>
    Effect.gen(function* () {
      const asked = { output: { ...output, form: "tool" as const } }
      const declared = yield* sends(asked, { structured: ["json_object"] })
      assert.deepStrictEqual(declared["response_format"], { type: "json_object" })
      assert.notProperty(declared, "tool_choice")
      const tool = yield* sends({ output }, { models: { sm: { structured: ["tool"] } } })
      assert.strictEqual(tool["tool_choice"], "required")
    }),
  )

  it.effect("falls back once to the next declared mode and remembers the refusal", () =>
    Effect.gen(function* () {
      const { generate, sent, server } = yield* setup([refusal, refusal, { json: { count: 3 } }])
      const { text } = yield* generate(request({ output }))
      assert.strictEqual(text, '{"count":3}')
      assert.strictEqual(server.requests.length, 2)
      assert.deepStrictEqual(sent()["response_format"], { type: "json_object" })
      yield* generate(request({ output }))
      assert.strictEqual(server.requests.length, 3)
      assert.deepStrictEqual(sent()["response_format"], { type: "json_object" })
    }),
  )

  it.effect("falls back in a stream", () =>
    Effect.gen(function* () {
      const { server, stream } = yield* setup([refusal, { json: { count: 3 } }], {
        structured: ["json_schema", "none"],
      })
      const parts = yield* Stream.runCollect(stream(request({ output })))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, '{"count":3}')
      assert.strictEqual(server.requests.length, 2)
      assert.notProperty(server.requests[1]!.body, "response_format")
    }),
  )

  it.effect("does not fall back if no other mode is declared or the error is unrelated", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup([refusal], { structured: ["json_schema"] })
      assert.strictEqual(
        (yield* Effect.flip(generate(request({ output })))).class,
        "invalid_request",
      )
      const other = yield* setup([{ status: 400, message: "no such model" }])
      yield* Effect.flip(other.generate(request({ output })))
      assert.strictEqual(server.requests.length, 1)
      assert.strictEqual(other.server.requests.length, 1)
    }),
  )

  it.effect("fails with the last refusal if every mode is refused, and remembers none", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup([
        { status: 400, message: "response_format is not known here" },
      ])
      const failure = yield* Effect.flip(generate(request({ output })))
      assert.strictEqual(failure.class, "invalid_request")
      assert.strictEqual(server.requests.length, 3)
      yield* Effect.flip(generate(request({ output })))
      assert.strictEqual(server.requests.length, 6)
    }),
  )
})

describe("a reply of an OpenAI-compatible server", () => {
  it.effect("reports cached tokens, the request id and truncation", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup([
        { text: "North", usage: { input: 100, output: 9 }, cached: 80, cut: true },
      ])
      const expected = { usage: { input: 100, output: 9, cached: 80 }, requestId: "req_wire" }
      assert.deepInclude(yield* generate(request()), { ...expected, finish: "length" })
      const parts = yield* Stream.runCollect(stream(request()))
      assert.deepStrictEqual(parts.at(-1), { type: "finish", reason: "length", ...expected })
    }),
  )

  it.effect("ignores unknown fields, chunks and comments", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup([{ text: "North leads", fault: "unknown_fields" }])
      assert.strictEqual((yield* generate(request())).text, "North leads")
      const parts = yield* Stream.runCollect(stream(request()))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, "North leads")
    }),
  )

  it.effect("fails with content_filter if the service's filter blocks it", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup([{ text: "Nor", fault: "blocked" }])
      assert.strictEqual((yield* Effect.flip(generate(request()))).class, "content_filter")
      const parts = yield* Effect.flip(Stream.runDrain(stream(request())))
      assert.strictEqual(parts.class, "content_filter")
    }),
  )

  it.effect("reuses kept-alive connections", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup([{ text: "hi" }])
      for (let times = 0; times < 5; times++) yield* generate(request())
      assert.strictEqual(server.requests.length, 5)
      // Node's fetch opens a second connection while the first is not yet idle, but no third.
      assert.isAtMost(server.connections(), 2)
    }),
  )
})

describe("an OpenAI-compatible server", () => {
  it.effect("without a key is available if it lists its models", () =>
    Effect.gen(function* () {
      const { provider, server } = yield* setup([{}])
      assert.strictEqual(yield* provider.available!, true)
      yield* Effect.promise(() => server.close())
      const gone = yield* provider.available!
      assert.match(String(gone), /^http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/)
    }),
  )

  it.effect("reports a missing key or address without a request", () =>
    Effect.gen(function* () {
      const bare = { root: ".", secret: () => undefined }
      const official = openai(serverOptions("openai", {}, bare))
      assert.include(String(yield* official.available!), "OPENAI_API_KEY")
      assert.strictEqual((yield* Effect.flip(official.generate!(request()))).class, "auth")
      const nowhere = openai(serverOptions("local", {}, bare))
      assert.include(String(yield* nowhere.available!), "servers.local.base_url")
    }),
  )

  it.effect("without a key can load a model before the first request needs it", () =>
    Effect.gen(function* () {
      const { generate, provider, server } = yield* setup([
        { text: "x", fault: "slow", when: '"hi"' },
        { text: "North" },
      ])
      const warming = yield* Effect.forkChild(provider.warm!("small"))
      yield* Effect.promise(() => server.received(1))
      assert.isUndefined(warming.pollUnsafe())
      server.release()
      yield* Fiber.join(warming)
      assert.strictEqual((yield* generate(request())).text, "North")
      assert.deepInclude(server.requests[0]!.body, { model: "small", max_tokens: 1 })
    }),
  )

  it.effect("with a key loads no model ahead unless `warm` is configured", () =>
    Effect.gen(function* () {
      const { provider } = yield* setup([{}], {}, "openai")
      assert.isUndefined(provider.warm)
      assert.isDefined(provider.load)
    }),
  )

  it.effect("receives a one-token request per `warm` model during setup", () =>
    Effect.gen(function* () {
      const server = yield* opened({ text: "x" })
      yield* plugin.setup!(
        { servers: { local: { base_url: `${server.url}/v1`, warm: ["small"] } } },
        host,
      )
      yield* Effect.promise(() => server.received(1))
      assert.deepInclude(server.requests[0]!.body, { model: "small", max_tokens: 1 })
    }),
  )
})

describe("the OpenAI-compatible embedder", () => {
  it.effect("requests batches and returns vectors in order", () =>
    Effect.gen(function* () {
      const more: Config = { embeddings: { server: "local", model: "embed", dimensions: 8 } }
      const asked = yield* setup([{}], {}, "local", more)
      const { tokens, vectors } = yield* asked.embedder.embed(
        Array.from({ length: 300 }, (_, index) => `text ${index % 150}`),
      )
      assert.strictEqual(vectors.length, 300)
      assert.strictEqual(tokens, 300)
      assert.strictEqual(asked.embedder.model, "local/embed")
      assert.deepStrictEqual(vectors[0], vectors[150])
      assert.notDeepEqual(vectors[0], vectors[1])
      assert.strictEqual(asked.server.requests.length, 2)
      assert.notProperty(asked.sent(), "dimensions")
    }),
  )

  it.effect("rejects vectors of an undeclared length, and requests shortening if configured", () =>
    Effect.gen(function* () {
      const long: Config = { embeddings: { server: "local", dimensions: 4 } }
      const asked = yield* setup([{}], {}, "local", long)
      assert.strictEqual((yield* Effect.flip(asked.embedder.embed(["a"]))).class, "invalid_output")
      const short = yield* setup([{}], {}, "local", {
        embeddings: { server: "local", dimensions: 4, shorten: true },
      })
      assert.strictEqual((yield* short.embedder.embed(["a"])).vectors[0]!.length, 4)
    }),
  )
})

it("the plugin rejects config of an unknown server or setting", () => {
  const decode = Schema.decodeUnknownSync(config, { onExcessProperty: "error" })
  assert.throws(() => decode({ servers: { olama: {} } }))
  assert.throws(() => decode({ servers: { ollama: { omit: ["warmth"] } } }))
  assert.throws(() => decode({ servers: { ollama: { timeout: "soon" } } }))
  assert.doesNotThrow(() => decode({ servers: { ollama: { timeout: "30s", body: { a: [1] } } } }))
})
