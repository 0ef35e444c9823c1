/** How local servers differ from OpenAI: the real SDK against recorded responses of those servers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  toFailureRecord,
  type JsonObject,
  type ModelPart,
  type ModelRequest,
} from "@planloom/plugin/effect"
import { wireServer, type RawAnswer } from "@planloom/testing"
import type { ServerConfig } from "./config.ts"
import { embedder } from "./embedder.ts"
import { openai } from "./openai.ts"
import { embeddingOptions, serverOptions } from "./options.ts"
import type { ServerId } from "./servers.ts"

const host = { root: ".", secret: () => undefined }
const request: ModelRequest = {
  model: "small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
}

const setup = (raw: RawAnswer, id: ServerId = "local", given: ServerConfig = {}, path = "/v1") =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers: [{ raw }] })),
      (open) => Effect.promise(() => open.close()),
    )
    const config = {
      servers: { [id]: { base_url: server.url + path, ...given } },
      embeddings: { server: id, model: "small", dimensions: 2 },
    }
    const { generate, stream } = openai(serverOptions(id, config, host))
    return {
      server,
      generate: generate!,
      stream: stream!,
      embed: embedder(embeddingOptions(config, host)).embed,
    }
  })

/** The failure of a whole reply and of a streamed one. */
const failing = (raw: RawAnswer, id?: ServerId, path?: string) =>
  Effect.gen(function* () {
    const { generate, server, stream } = yield* setup(raw, id, {}, path)
    const whole = toFailureRecord(yield* Effect.flip(generate(request)))
    const parts = toFailureRecord(yield* Effect.flip(Stream.runDrain(stream(request))))
    return { whole, parts, url: server.url }
  })

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: "1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const whole = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: "1",
  object: "chat.completion",
  choices: [
    { index: 0, message: { role: "assistant", content: "", ...message }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 2 },
  ...more,
})
const callsIn = (parts: ReadonlyArray<ModelPart>) =>
  parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
const textIn = (type: "text" | "reasoning", parts: ReadonlyArray<ModelPart>) =>
  parts.map((part) => (part.type === type ? part.text : "")).join("")

describe("tool calls of local servers", () => {
  it.effect("whole calls without ids and with index 0 are separated by name", () =>
    Effect.gen(function* () {
      const call = (name: string, args: unknown, id?: string): JsonObject =>
        ({
          index: 0,
          ...(id === undefined ? {} : { id }),
          function: { name, arguments: args },
        }) as JsonObject
      const { stream } = yield* setup({
        body: "",
        events: [
          chunk({ tool_calls: [call("top", '{"limit":3}', "")] }),
          chunk({ tool_calls: [call("top", '{"limit":4}', ""), call("sum", "{}")] }),
          chunk({}, "tool_calls"),
          "[DONE]",
        ],
      })
      const calls = callsIn(yield* Stream.runCollect(stream(request)))
      assert.deepStrictEqual(
        calls.map(({ arguments: args, name }) => [name, args]),
        [
          ["top", { limit: 3 }],
          ["top", { limit: 4 }],
          ["sum", {}],
        ],
      )
      assert.strictEqual(new Set(calls.map(({ id }) => id)).size, 3)
      assert.isTrue(calls.every(({ id }) => id !== ""))
    }),
  )

  it.effect("interleaved deltas with a repeated name or without an index are joined per call", () =>
    Effect.gen(function* () {
      const piece = (index: number | undefined, id: string, name: string, args: string) =>
        chunk({
          tool_calls: [
            {
              ...(index === undefined ? {} : { index }),
              id,
              function: { name, arguments: args },
            },
          ],
        })
      const { stream } = yield* setup({
        body: "",
        events: [
          piece(0, "a", "top", '{"lim'),
          piece(1, "b", "sum", '{"of":'),
          piece(0, "a", "top", 'it":3}'),
          piece(1, "b", "sum", '"x"}'),
          piece(undefined, "c", "all", "{}"),
          chunk({}, "stop"),
          "[DONE]",
        ],
      })
      const parts = yield* Stream.runCollect(stream(request))
      assert.deepStrictEqual(
        callsIn(parts).map(({ arguments: args, id, name }) => [id, name, args]),
        [
          ["a", "top", { limit: 3 }],
          ["b", "sum", { of: "x" }],
          ["c", "all", {}],
        ],
      )
      assert.deepInclude(parts.at(-1), { type: "finish", reason: "tool_calls" })
    }),
  )

  it.effect("arguments sent as an object are accepted", () =>
    Effect.gen(function* () {
      const call = { function: { name: "top", arguments: { limit: 3 } } }
      const { generate } = yield* setup({ body: whole({ tool_calls: [call] }) })
      const reply = yield* generate(request)
      assert.deepInclude(reply.toolCalls[0], { name: "top", arguments: { limit: 3 } })
      assert.strictEqual(reply.finish, "tool_calls")
    }),
  )

  it.effect.each([
    ["invalid JSON", '{"limit": thr'],
    ["duplicate names", '{"limit": 3, "limit": 300}'],
  ] as const)("arguments with %s are given as they were written", ([, text]) =>
    Effect.gen(function* () {
      const call = { id: "a", index: 0, function: { name: "top", arguments: text } }
      const { generate, stream } = yield* setup({
        body: whole({ tool_calls: [call] }),
        events: [chunk({ tool_calls: [call] }), chunk({}, "tool_calls"), "[DONE]"],
      })
      const expected = { id: "a", name: "top", arguments: {}, written: text }
      assert.deepStrictEqual((yield* generate(request)).toolCalls, [expected])
      const parts = yield* Stream.runCollect(stream(request))
      assert.deepInclude(parts[0], { type: "tool_call", call: expected })
    }),
  )
})

describe("a reply of a local server", () => {
  it.effect("a stream without a finish reason ends at [DONE]; without it the stream fails", () =>
    Effect.gen(function* () {
      const events = [chunk({ content: "North" }), chunk({ content: " leads" })]
      const ended = yield* setup({ body: "", events: [...events, "[DONE]"] })
      const parts = yield* Stream.runCollect(ended.stream(request))
      assert.strictEqual(textIn("text", parts), "North leads")
      assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
      const cut = yield* setup({ body: "", events })
      const failure = yield* Effect.flip(Stream.runDrain(cut.stream(request)))
      assert.strictEqual(failure.class, "unavailable")
    }),
  )

  it.effect("accepts a finish reason that is null or empty", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({
        body: { choices: [{ index: 0, message: { content: "North" }, finish_reason: null }] },
        events: [chunk({ content: "North" }, ""), chunk({}, "stop"), "[DONE]"],
      })
      assert.deepInclude(yield* generate(request), { text: "North", finish: "stop" })
      const parts = yield* Stream.runCollect(stream(request))
      assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
    }),
  )

  it.effect("has estimated usage if the server reports no tokens", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({
        body: { choices: [{ index: 0, message: { content: "North" }, finish_reason: "stop" }] },
        events: [chunk({ content: "North" }), chunk({}, "stop"), "[DONE]"],
      })
      const usage = { input: 0, output: 0, estimated: true } as const
      assert.deepInclude(yield* generate(request), { usage })
      assert.deepInclude((yield* Stream.runCollect(stream(request))).at(-1), { usage })
    }),
  )

  for (const [name, of] of [
    ["llama.cpp and DeepSeek", (text: string) => ({ reasoning_content: text })],
    ["Ollama, OpenRouter and vLLM", (text: string) => ({ reasoning: text })],
    ["both", (text: string) => ({ reasoning_content: "", reasoning: text })],
  ] as const) {
    it.effect(`separates text from the reasoning field of ${name}`, () =>
      Effect.gen(function* () {
        const { generate, stream } = yield* setup({
          body: whole({ ...of("hm, north"), content: "North" }),
          events: [
            chunk(of("hm, ")),
            chunk(of("north")),
            chunk({ content: "North" }),
            chunk({}, "stop"),
            "[DONE]",
          ],
        })
        assert.deepInclude(yield* generate(request), { text: "North", reasoning: "hm, north" })
        const parts = yield* Stream.runCollect(stream(request))
        assert.strictEqual(textIn("reasoning", parts), "hm, north")
        assert.strictEqual(textIn("text", parts), "North")
      }),
    )
  }

  it.effect("accepts content as a list of parts", () =>
    Effect.gen(function* () {
      const { generate } = yield* setup({
        body: whole({ content: [{ type: "text", text: "North" }, { type: "image" }, null] }),
      })
      assert.strictEqual((yield* generate(request)).text, "North")
    }),
  )

  it.effect("reports cache reads and writes from each server's fields", () =>
    Effect.gen(function* () {
      const tokens = { prompt_tokens: 100, completion_tokens: 2 }
      const router = {
        ...tokens,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      }
      const first = yield* setup({ body: whole({}, { usage: router }) })
      assert.deepStrictEqual((yield* first.generate(request)).usage, {
        input: 100,
        output: 2,
        cached: 60,
        written: 30,
      })
      const deepseek = { ...tokens, prompt_cache_hit_tokens: 64 }
      const second = yield* setup({ body: whole({}, { usage: deepseek }) })
      assert.strictEqual((yield* second.generate(request)).usage.cached, 64)
    }),
  )
})

/** Recorded error responses and the expected failures. */
const refusals: {
  readonly [what: string]: readonly [
    raw: RawAnswer,
    as: ServerId,
    expected: { readonly class: string; readonly message: RegExp; readonly retryAfter?: number },
  ]
} = {
  "llama.cpp, while it loads": [
    {
      status: 503,
      body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
    },
    "llamacpp",
    { class: "unavailable", message: /Loading model/, retryAfter: 2000 },
  ],
  "llama.cpp, over its context": [
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
        },
      },
    },
    "llamacpp",
    { class: "context_length", message: /context size/ },
  ],
  "Ollama, without the model": [
    {
      status: 404,
      body: {
        error: { message: 'model "small" not found, try pulling it first', type: "api_error" },
      },
    },
    "ollama",
    {
      class: "no_model",
      message: /not found, try pulling it first; `ollama pull small` gets it/,
    },
  ],
  "Ollama, with a model that calls no tools": [
    {
      status: 400,
      body: { error: { message: "registry.ollama.ai/library/small does not support tools" } },
    },
    "ollama",
    {
      class: "invalid_request",
      message: /does not support tools; with `ollama\/small: \{ capabilities: \[json_schema\] \}`/,
    },
  ],
  "vLLM, without the model": [
    {
      status: 404,
      body: {
        object: "error",
        message: "The model `small` does not exist.",
        type: "NotFoundError",
        code: 404,
      },
    },
    "vllm",
    { class: "no_model", message: /does not exist; http:.*\/v1\/models lists those/ },
  ],
  "LM Studio, without the model": [
    {
      status: 400,
      body: { error: { message: 'Failed to load model "small".', code: "model_not_found" } },
    },
    "lmstudio",
    { class: "no_model", message: /Failed to load model "small"; http:.*\/models lists/ },
  ],
  "LM Studio, at a path it does not know, with a success status": [
    { body: { error: "Unexpected endpoint or method. (POST /chat/completions)" } },
    "lmstudio",
    {
      class: "invalid_request",
      message: /Unexpected endpoint or method.*base_url is http:.*: is that a server/,
    },
  ],
  "FastAPI, at a path it does not know": [
    { status: 404, body: { detail: "Not Found" } },
    "vllm",
    { class: "invalid_request", message: /Not Found; base_url is http:.*\/v1: is that a server/ },
  ],
  "FastAPI, of a request it cannot read": [
    { status: 422, body: { detail: [{ loc: ["body"], msg: "field required" }] } },
    "vllm",
    { class: "invalid_request", message: /field required/ },
  ],
  "a proxy, with plain text": [
    {
      status: 502,
      headers: { "content-type": "text/plain" },
      body: "upstream is gone\nat 10.0.0.7",
    },
    "local",
    { class: "unavailable", message: /^upstream is gone$/ },
  ],
  "a proxy, with a page": [
    {
      status: 504,
      headers: { "content-type": "text/html" },
      body: "<html><head><title>504 Gateway Time-out</title></head><body>…</body></html>",
    },
    "local",
    { class: "timeout", message: /a page of HTML: 504 Gateway Time-out/ },
  ],
  "a page where a reply should be": [
    { headers: { "content-type": "text/html" }, body: "<html><title>Open WebUI</title></html>" },
    "local",
    { class: "unavailable", message: /cannot be read \(a page of HTML: Open WebUI\)/ },
  ],
  "nothing but a status": [
    { status: 500, body: "" },
    "local",
    { class: "unavailable", message: /status 500/ },
  ],
  "OpenRouter, for an overloaded upstream, with a success status": [
    { body: { error: { code: 429, message: "rate limited upstream" } } },
    "local",
    { class: "rate_limit", message: /rate limited upstream/ },
  ],
}

describe("an error of a local server", () => {
  for (const [what, [raw, as, expected]] of Object.entries(refusals)) {
    it.effect(`is classified with a useful message: ${what}`, () =>
      Effect.gen(function* () {
        const { parts, whole: one } = yield* failing(raw, as)
        for (const failure of [one, parts]) {
          assert.strictEqual(failure.class, expected.class, failure.message)
          assert.match(failure.message, expected.message)
          assert.strictEqual(failure.retryAfter, expected.retryAfter)
        }
      }),
    )
  }

  it.effect("names a missing /v1 in base_url if the path is unknown", () =>
    Effect.gen(function* () {
      const raw = { body: "" }
      const { parts, url, whole: one } = yield* failing(raw, "lmstudio", "")
      for (const { class: named, message } of [one, parts]) {
        assert.strictEqual(named, "invalid_request")
        assert.include(message, `base_url is ${url}: is /v1 missing from it?`)
      }
    }),
  )
})

it.effect("a local server that requires a key names the setting for it", () =>
  Effect.gen(function* () {
    const raw = { status: 401, body: { error: { message: "Invalid API Key" } } }
    const { parts, whole: one } = yield* failing(raw, "llamacpp")
    for (const failure of [one, parts]) {
      assert.strictEqual(failure.class, "auth")
      assert.match(failure.message, /^Invalid API Key; set servers\.llamacpp\.key in the config/)
    }
  }),
)

it.effect("a password in base_url appears in no failure message", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers: [{ raw: { status: 404, body: "" } }] })),
      (open) => Effect.promise(() => open.close()),
    )
    const base_url = server.url.replace("//", "//ann:pass-of-ann@")
    for (const path of ["", "/v1"]) {
      const config = { servers: { local: { base_url: base_url + path } } }
      const { available, generate } = openai(serverOptions("local", config, host))
      const failure = yield* Effect.flip(generate!(request))
      assert.notInclude(JSON.stringify(toFailureRecord(failure)), "pass-of-ann")
      assert.notInclude(String(yield* available!), "pass-of-ann")
    }
  }),
)

describe("JSON output of a local server", () => {
  const output = { name: "n", schema: { type: "object", properties: { a: { type: "string" } } } }

  it.effect("is requested as text after the server has refused both modes", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          wireServer({
            answers: [
              { raw: { status: 400, body: { error: "response_format is not supported" } } },
              { raw: { status: 400, body: { error: "response_format is not supported" } } },
              { text: "{}" },
            ],
          }),
        ),
        (open) => Effect.promise(() => open.close()),
      )
      const config = { servers: { local: { base_url: `${server.url}/v1` } } }
      const { generate } = openai(serverOptions("local", config, host))
      assert.strictEqual((yield* generate!({ ...request, output })).text, "{}")
      assert.strictEqual((yield* generate!({ ...request, output })).text, "{}")
      assert.strictEqual(server.requests.length, 4)
      for (const { body } of server.requests.slice(2)) {
        assert.notProperty(body, "response_format")
        assert.include(JSON.stringify(body["messages"]), "JSON Schema")
      }
    }),
  )

  it.effect("can use a server-specific grammar from the config", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup({ body: whole({ content: "yes" }) }, "llamacpp", {
        structured: ["none"],
        models: { small: { body: { grammar: 'root ::= "yes" | "no"' } } },
      })
      yield* generate({ ...request, output })
      assert.deepInclude(server.requests[0]!.body, { grammar: 'root ::= "yes" | "no"' })
      assert.notProperty(server.requests[0]!.body, "response_format")
    }),
  )
})

describe("the embedder on a local server", () => {
  it.effect("sends no request for an empty list of texts", () =>
    Effect.gen(function* () {
      const { embed, server } = yield* setup({ body: {} })
      assert.deepStrictEqual(yield* embed([]), { vectors: [], tokens: 0 })
      assert.strictEqual(server.requests.length, 0)
    }),
  )

  for (const [what, body, expected] of [
    ["a response without vectors", { object: "list" }, /cannot be read/],
    [
      "an error with a success status",
      { error: { message: "no embedding model" } },
      /no embedding/,
    ],
    ["too few", { data: [] }, /returned 0 vectors, not 1 of 2 numbers/],
    ["too long ones", { data: [{ index: 0, embedding: [1, 2, 3] }] }, /vectors of 3 numbers/],
    ["holes", { data: [{ index: 0, embedding: [1, "x"] }] }, /not numbers/],
  ] as const) {
    it.effect(`fails with a message, without a defect, for ${what}`, () =>
      Effect.gen(function* () {
        const { embed } = yield* setup({ body: body as unknown as JsonObject })
        assert.match((yield* Effect.flip(embed(["a"]))).message, expected)
      }),
    )
  }
})
