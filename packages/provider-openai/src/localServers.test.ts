/** What servers on one's own machine do otherwise than OpenAI, with the real SDK and their real words. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  toFailureRecord,
  type JsonObject,
  type ModelPart,
  type ModelRequest,
} from "@planloom/plugin"
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

const asking = (raw: RawAnswer, id: ServerId = "local", given: ServerConfig = {}, path = "/v1") =>
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

/** The failure, whole and in parts. */
const failing = (raw: RawAnswer, id?: ServerId, path?: string) =>
  Effect.gen(function* () {
    const { generate, server, stream } = yield* asking(raw, id, {}, path)
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

describe("calls of tools", () => {
  it.effect(
    "that come whole, without ids and all with index 0 are as many as there are names",
    () =>
      Effect.gen(function* () {
        const call = (name: string, args: unknown, id?: string): JsonObject =>
          ({
            index: 0,
            ...(id === undefined ? {} : { id }),
            function: { name, arguments: args },
          }) as JsonObject
        const { stream } = yield* asking({
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

  it.effect(
    "that come side by side, with the name in every piece and no index, are put together",
    () =>
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
        const { stream } = yield* asking({
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

  it.effect("may have their arguments as an object", () =>
    Effect.gen(function* () {
      const call = { function: { name: "top", arguments: { limit: 3 } } }
      const { generate } = yield* asking({ body: whole({ tool_calls: [call] }) })
      const reply = yield* generate(request)
      assert.deepInclude(reply.toolCalls[0], { name: "top", arguments: { limit: 3 } })
      assert.strictEqual(reply.finish, "tool_calls")
    }),
  )

  it.effect("whose arguments are no JSON are the model's mistake, and what they used counts", () =>
    Effect.gen(function* () {
      const call = { id: "a", index: 0, function: { name: "top", arguments: '{"limit": thr' } }
      const { parts, whole: one } = yield* failing({
        body: whole({ tool_calls: [call] }),
        events: [chunk({ tool_calls: [call] }), chunk({}, "tool_calls"), "[DONE]"],
      })
      assert.deepInclude(one, { class: "invalid_output", usage: { input: 5, output: 2 } })
      assert.strictEqual(parts.class, "invalid_output")
      assert.strictEqual(parts.usage?.estimated, true)
    }),
  )
})

describe("a reply", () => {
  it.effect(
    "that never tells a reason to end has ended when the server says [DONE], not before",
    () =>
      Effect.gen(function* () {
        const events = [chunk({ content: "North" }), chunk({ content: " leads" })]
        const ended = yield* asking({ body: "", events: [...events, "[DONE]"] })
        const parts = yield* Stream.runCollect(ended.stream(request))
        assert.strictEqual(textIn("text", parts), "North leads")
        assert.deepInclude(parts.at(-1), { type: "finish", reason: "other" })
        const cut = yield* asking({ body: "", events })
        const failure = yield* Effect.flip(Stream.runDrain(cut.stream(request)))
        assert.strictEqual(failure.class, "unavailable")
      }),
  )

  it.effect(
    "may have a reason that is null or empty until it ends, and none when it is whole",
    () =>
      Effect.gen(function* () {
        const { generate, stream } = yield* asking({
          body: { choices: [{ index: 0, message: { content: "North" }, finish_reason: null }] },
          events: [chunk({ content: "North" }, ""), chunk({}, "stop"), "[DONE]"],
        })
        assert.deepInclude(yield* generate(request), { text: "North", finish: "other" })
        const parts = yield* Stream.runCollect(stream(request))
        assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
      }),
  )

  it.effect("without tokens says that nobody has told them", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* asking({
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
    it.effect(`is told apart from the reasoning of ${name}`, () =>
      Effect.gen(function* () {
        const { generate, stream } = yield* asking({
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

  it.effect("may come as a list of parts", () =>
    Effect.gen(function* () {
      const { generate } = yield* asking({
        body: whole({ content: [{ type: "text", text: "North" }, { type: "image" }, null] }),
      })
      assert.strictEqual((yield* generate(request)).text, "North")
    }),
  )

  it.effect("tells what was read from and written into a cache, in each server's words", () =>
    Effect.gen(function* () {
      const told = { prompt_tokens: 100, completion_tokens: 2 }
      const router = {
        ...told,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      }
      const first = yield* asking({ body: whole({}, { usage: router }) })
      assert.deepStrictEqual((yield* first.generate(request)).usage, {
        input: 100,
        output: 2,
        cached: 60,
        written: 30,
      })
      const deepseek = { ...told, prompt_cache_hit_tokens: 64 }
      const second = yield* asking({ body: whole({}, { usage: deepseek }) })
      assert.strictEqual((yield* second.generate(request)).usage.cached, 64)
    }),
  )
})

/** What the servers really answer, and what is made of it. */
const refusals: {
  readonly [what: string]: readonly [
    raw: RawAnswer,
    as: ServerId,
    expected: { readonly class: string; readonly says: RegExp; readonly retryAfter?: number },
  ]
} = {
  "llama.cpp, while it loads": [
    {
      status: 503,
      body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
    },
    "llamacpp",
    { class: "unavailable", says: /Loading model/, retryAfter: 2000 },
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
    { class: "context_length", says: /context size/ },
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
      says: /not found, try pulling it first; `ollama pull small` gets it/,
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
    { class: "no_model", says: /does not exist; http:.*\/v1\/models lists those/ },
  ],
  "LM Studio, without the model": [
    {
      status: 400,
      body: { error: { message: 'Failed to load model "small".', code: "model_not_found" } },
    },
    "lmstudio",
    { class: "no_model", says: /Failed to load model "small"; http:.*\/models lists/ },
  ],
  "LM Studio, at a path it does not know, with a status that claims to be well": [
    { body: { error: "Unexpected endpoint or method. (POST /chat/completions)" } },
    "lmstudio",
    {
      class: "invalid_request",
      says: /Unexpected endpoint or method.*base_url is http:.*: is that a server/,
    },
  ],
  "FastAPI, at a path it does not know": [
    { status: 404, body: { detail: "Not Found" } },
    "vllm",
    { class: "invalid_request", says: /Not Found; base_url is http:.*\/v1: is that a server/ },
  ],
  "FastAPI, of a request it cannot read": [
    { status: 422, body: { detail: [{ loc: ["body"], msg: "field required" }] } },
    "vllm",
    { class: "invalid_request", says: /field required/ },
  ],
  "a proxy, with plain text": [
    {
      status: 502,
      headers: { "content-type": "text/plain" },
      body: "upstream is gone\nat 10.0.0.7",
    },
    "local",
    { class: "unavailable", says: /^upstream is gone$/ },
  ],
  "a proxy, with a page": [
    {
      status: 504,
      headers: { "content-type": "text/html" },
      body: "<html><head><title>504 Gateway Time-out</title></head><body>…</body></html>",
    },
    "local",
    { class: "timeout", says: /a page of HTML: 504 Gateway Time-out/ },
  ],
  "a page where a reply should be": [
    { headers: { "content-type": "text/html" }, body: "<html><title>Open WebUI</title></html>" },
    "local",
    { class: "unavailable", says: /cannot be read \(a page of HTML: Open WebUI\)/ },
  ],
  "nothing but a status": [
    { status: 500, body: "" },
    "local",
    { class: "unavailable", says: /status 500/ },
  ],
  "OpenRouter, of a full upstream, with a status that claims to be well": [
    { body: { error: { code: 429, message: "rate limited upstream" } } },
    "local",
    { class: "rate_limit", says: /rate limited upstream/ },
  ],
}

describe("a refusal", () => {
  for (const [what, [raw, as, expected]] of Object.entries(refusals)) {
    it.effect(`of ${what}`, () =>
      Effect.gen(function* () {
        const { parts, whole: one } = yield* failing(raw, as)
        for (const failure of [one, parts]) {
          assert.strictEqual(failure.class, expected.class, failure.message)
          assert.match(failure.message, expected.says)
          assert.strictEqual(failure.retryAfter, expected.retryAfter)
        }
      }),
    )
  }

  it.effect("of a path, where /v1 is missing from the address, says so", () =>
    Effect.gen(function* () {
      const raw = { body: "" }
      const { parts, url, whole: one } = yield* failing(raw, "ollama", "")
      for (const { class: named, message } of [one, parts]) {
        assert.strictEqual(named, "invalid_request")
        assert.include(message, `base_url is ${url}: is /v1 missing from it?`)
      }
    }),
  )
})

it.effect("a password in the address is in no message", () =>
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

describe("ways of asking for JSON", () => {
  const output = { name: "n", schema: { type: "object", properties: { a: { type: "string" } } } }

  it.effect("of a server that knows none of them is the text, once both were refused", () =>
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
      const failure = yield* Effect.flip(generate!({ ...request, output }))
      assert.strictEqual(failure.class, "invalid_request")
      assert.strictEqual((yield* generate!({ ...request, output })).text, "{}")
      assert.notProperty(server.requests.at(-1)!.body, "response_format")
    }),
  )

  it.effect("may be a grammar of the server's own, said in the config", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* asking({ body: whole({ content: "yes" }) }, "llamacpp", {
        structured: ["none"],
        models: { small: { body: { grammar: 'root ::= "yes" | "no"' } } },
      })
      yield* generate({ ...request, output })
      assert.deepInclude(server.requests[0]!.body, { grammar: 'root ::= "yes" | "no"' })
      assert.notProperty(server.requests[0]!.body, "response_format")
    }),
  )
})

describe("vectors", () => {
  it.effect("of none are none, and nobody is asked", () =>
    Effect.gen(function* () {
      const { embed, server } = yield* asking({ body: {} })
      assert.deepStrictEqual(yield* embed([]), [])
      assert.strictEqual(server.requests.length, 0)
    }),
  )

  for (const [what, body, says] of [
    ["an answer without any", { object: "list" }, /cannot be read/],
    [
      "an error that claims to be well",
      { error: { message: "no embedding model" } },
      /no embedding/,
    ],
    ["too few", { data: [] }, /gave 0 vectors, not 1 of 2 numbers/],
    ["too long ones", { data: [{ index: 0, embedding: [1, 2, 3] }] }, /vectors of 3 numbers/],
    ["holes", { data: [{ index: 0, embedding: [1, "x"] }] }, /not all numbers/],
  ] as const) {
    it.effect(`that are ${what} fail, and kill nothing`, () =>
      Effect.gen(function* () {
        const { embed } = yield* asking({ body: body as unknown as JsonObject })
        assert.match((yield* Effect.flip(embed(["a"]))).message, says)
      }),
    )
  }
})
