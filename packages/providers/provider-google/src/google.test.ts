/** Provider and embedder with the real SDK against a server that speaks Gemini's wire format. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { JsonObject, ModelRequest } from "@planloom/plugin/effect"
import { wireServer, type WireAnswer } from "@planloom/testing"
import type { Config } from "./config.ts"
import { embedder } from "./embedder.ts"
import { google } from "./google.ts"
import { parseOptions } from "./options.ts"

const KEY = "AIza-not-a-real-key"

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "gemini-small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

const setup = (answer: WireAnswer, config: Config = {}) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ key: KEY, answers: [answer] })),
      (open) => Effect.promise(() => open.close()),
    )
    const options = parseOptions(
      { base_url: server.url, ...config },
      { root: ".", secret: () => KEY },
    )
    const provider = google(options)
    const sent = (): JsonObject => server.requests.at(-1)!.body
    return {
      server,
      sent,
      generate: provider.generate!,
      stream: provider.stream!,
      embedder: embedder(options),
    }
  })

const sends = (more: Partial<ModelRequest>, config: Config = {}) =>
  Effect.gen(function* () {
    const { generate, sent } = yield* setup({}, config)
    yield* generate(request(more))
    return sent()
  })

const tools = [
  { name: "top", description: "Keeps the best.", parameters: { type: "object", properties: {} } },
]

describe("a request to Gemini", () => {
  it.effect("maps system texts, messages, images, tool calls and results to the API", () =>
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
            toolCalls: [
              { id: "service_1", name: "top", arguments: { limit: 3 } },
              { id: "planloom_1", name: "top", arguments: {} },
            ],
          },
          { role: "tool", toolCallId: "service_1", name: "top", content: { rows: [1] } },
          { role: "tool", toolCallId: "planloom_1", name: "top", content: [1, 2] },
        ],
        tools,
      })
      assert.deepStrictEqual(body["systemInstruction"], {
        role: "user",
        parts: [{ text: "You plan." }, { text: "Be brief." }],
      })
      assert.deepStrictEqual(body["contents"], [
        {
          role: "user",
          parts: [
            { text: "what is this?" },
            { inlineData: { data: "aGk=", mimeType: "image/png" } },
          ],
        },
        {
          role: "model",
          parts: [
            {
              functionCall: { id: "service_1", name: "top", args: { limit: 3 } },
            },
            { functionCall: { name: "top", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "service_1", name: "top", response: { rows: [1] } } },
            { functionResponse: { name: "top", response: { result: [1, 2] } } },
          ],
        },
      ])
      assert.deepStrictEqual(body["tools"], [
        {
          functionDeclarations: [
            {
              name: "top",
              description: "Keeps the best.",
              parametersJsonSchema: { type: "object", properties: {} },
            },
          ],
        },
      ])
    }),
  )

  it.effect("contains every setting of the contract", () =>
    Effect.gen(function* () {
      const body = yield* sends({
        temperature: 0,
        topK: 4,
        seed: 7,
        maxTokens: 50,
        stop: ["END"],
        reasoning: "low",
      })
      assert.deepStrictEqual(body["generationConfig"], {
        temperature: 0,
        topK: 4,
        seed: 7,
        maxOutputTokens: 50,
        stopSequences: ["END"],
        thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" },
      })
    }),
  )

  it.effect("has a thinking level from Gemini 3 on, and a budget before", () =>
    Effect.gen(function* () {
      const thinking = (more: Partial<ModelRequest>) =>
        Effect.map(
          sends(more),
          (body) => (body["generationConfig"] as JsonObject)["thinkingConfig"],
        )
      assert.deepStrictEqual(
        yield* thinking({ model: "gemini-3.5-flash-lite", reasoning: "minimal" }),
        { includeThoughts: true, thinkingLevel: "MINIMAL" },
      )
      assert.deepStrictEqual(
        yield* thinking({ model: "gemini-2.5-flash-lite", reasoning: "none" }),
        { includeThoughts: false, thinkingBudget: 0 },
      )
      assert.deepStrictEqual(yield* thinking({ model: "gemini-2.5-flash", reasoning: "max" }), {
        includeThoughts: true,
        thinkingBudget: 24_576,
      })
    }),
  )

  it.effect("uses native JSON output, and text if the request has tools", () =>
    Effect.gen(function* () {
      const output = {
        name: "n",
        schema: { type: "object", properties: { a: { type: "string" } } },
      }
      assert.deepStrictEqual((yield* sends({ output }))["generationConfig"], {
        responseMimeType: "application/json",
        responseJsonSchema: output.schema,
      })
      const beside = yield* sends({ output, tools })
      assert.notProperty(beside["generationConfig"] ?? {}, "responseJsonSchema")
      const asText = yield* sends({ output }, { structured: "text" })
      assert.notProperty(asText["generationConfig"] ?? {}, "responseJsonSchema")
    }),
  )

  it.effect("uses a forced tool if the request's form is tool", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: { a: { type: "string" } } }
      const output = { name: "the sums", schema, form: "tool" as const }
      const { generate, sent, stream } = yield* setup({
        tool_calls: [{ name: "the_sums", arguments: { a: "3" } }],
      })
      const whole = yield* generate(request({ output }))
      assert.deepStrictEqual(sent()["toolConfig"], {
        functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["the_sums"] },
      })
      assert.deepStrictEqual(sent()["tools"], [
        {
          functionDeclarations: [
            {
              name: "the_sums",
              description: "Takes the answer.",
              parametersJsonSchema: schema,
            },
          ],
        },
      ])
      assert.notNestedProperty(sent(), "generationConfig.responseMimeType")
      assert.deepInclude(whole, { text: '{"a":"3"}', toolCalls: [], finish: "stop" })
      const parts = yield* Stream.runCollect(stream(request({ output })))
      assert.deepStrictEqual(parts[0], { type: "text", text: '{"a":"3"}' })
      assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
    }),
  )

  it.effect("uses the project's `structured` over the request's form", () =>
    Effect.gen(function* () {
      const schema = { type: "object" }
      const configured = yield* sends(
        { output: { name: "n", schema, form: "tool" } },
        { structured: "native" },
      )
      assert.notProperty(configured, "toolConfig")
      assert.nestedPropertyVal(configured, "generationConfig.responseMimeType", "application/json")
      const words = yield* sends({ output: { name: "n", schema, form: "text" } })
      assert.notNestedProperty(words, "generationConfig.responseMimeType")
      const list = yield* sends({ output: { name: "n", schema: { type: "array" }, form: "tool" } })
      assert.notProperty(list, "toolConfig")
      assert.nestedPropertyVal(list, "generationConfig.responseMimeType", "application/json")
    }),
  )

  it.effect("carries the key in a header, never in the URL", () =>
    Effect.gen(function* () {
      const { generate, server } = yield* setup({})
      yield* generate(request())
      assert.strictEqual(server.requests[0]!.headers["x-goog-api-key"], KEY)
      assert.notInclude(server.requests[0]!.path, KEY)
    }),
  )
})

describe("a reply of Gemini", () => {
  it.effect("reports cached tokens, the request id and truncation", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({
        text: "North",
        usage: { input: 100, output: 9 },
        cached: 80,
        cut: true,
      })
      const expected = {
        usage: { input: 100, output: 9, cached: 80 },
        requestId: "resp_wire",
      }
      assert.deepInclude(yield* generate(request()), { ...expected, finish: "length" })
      const parts = yield* Stream.runCollect(stream(request()))
      assert.deepStrictEqual(parts.at(-1), { type: "finish", reason: "length", ...expected })
    }),
  )

  it.effect("ignores unknown fields and parts", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({ text: "North leads", fault: "unknown_fields" })
      assert.strictEqual((yield* generate(request())).text, "North leads")
      const parts = yield* Stream.runCollect(stream(request()))
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      assert.strictEqual(text, "North leads")
    }),
  )

  it.effect("does not get the signature of another service", () =>
    Effect.gen(function* () {
      const signature = "anthropic:[]"
      const call = { id: "a", name: "top", arguments: {}, signature }
      const body = yield* sends({
        messages: [
          { role: "user", content: "top" },
          { role: "assistant", content: "", toolCalls: [call] },
          { role: "tool", toolCallId: "a", name: "top", content: 1 },
        ],
      })
      assert.notInclude(JSON.stringify(body), "anthropic")
    }),
  )

  it.effect(
    "with signatures returns unchanged with the results of its calls, whole and streamed",
    () =>
      Effect.gen(function* () {
        const signed: ReadonlyArray<JsonObject> = [
          { text: "North leads.", thoughtSignature: "dGV4dA==" },
          { functionCall: { name: "top", args: { limit: 3 } }, thoughtSignature: "c2ln" },
          { functionCall: { name: "top", args: {} } },
        ]
        const response = (parts: ReadonlyArray<JsonObject>) => ({
          candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
        })
        const thought = { text: "Which region?", thought: true }
        const { generate, sent, stream } = yield* setup({
          raw: {
            body: response([thought, ...signed]),
            events: [response([thought]), ...signed.map((part) => response([part]))],
          },
        })
        const asked = request({ tools })
        const whole = yield* generate(asked)
        const parts = yield* Stream.runCollect(stream(asked))
        const streamed = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
        assert.strictEqual(whole.text, "North leads.")
        for (const toolCalls of [whole.toolCalls, streamed]) {
          const { id } = toolCalls[0]!
          yield* generate({
            ...asked,
            messages: [
              ...asked.messages,
              { role: "assistant", content: whole.text, toolCalls },
              { role: "tool", toolCallId: id, name: "top", content: 1 },
            ],
          })
          const turns = sent()["contents"] as unknown as ReadonlyArray<JsonObject>
          assert.deepStrictEqual(turns[1], { role: "model", parts: [...signed] })
        }
      }),
  )

  it.effect("fails with content_filter for a refused prompt", () =>
    Effect.gen(function* () {
      const { generate, stream } = yield* setup({ fault: "blocked" })
      const whole = yield* Effect.flip(generate(request()))
      assert.strictEqual(whole.class, "content_filter")
      assert.include(whole.message, "PROHIBITED_CONTENT")
      const parts = yield* Effect.flip(Stream.runDrain(stream(request())))
      assert.strictEqual(parts.class, "content_filter")
    }),
  )
})

describe("the Gemini embedder", () => {
  it.effect("requests batches and returns vectors of length 1 in order", () =>
    Effect.gen(function* () {
      const { embedder: asked, server } = yield* setup({}, { embeddings: { dimensions: 4 } })
      const texts = Array.from({ length: 150 }, (_, index) => `text ${index % 75}`)
      const { vectors } = yield* asked.embed(texts)
      assert.strictEqual(server.requests.length, 2)
      assert.strictEqual(vectors.length, 150)
      assert.deepStrictEqual(vectors[0], vectors[75])
      assert.notDeepEqual(vectors[0], vectors[1])
      for (const vector of vectors) {
        assert.strictEqual(vector.length, 4)
        assert.closeTo(Math.hypot(...vector), 1, 1e-6)
      }
    }),
  )

  it.effect("fails with the class and retry delay of the service", () =>
    Effect.gen(function* () {
      const { embedder: asked } = yield* setup({ status: 429, retryAfter: 2500 })
      const failure = yield* Effect.flip(asked.embed(["a"]))
      assert.strictEqual(failure.class, "rate_limit")
      assert.strictEqual(failure.retryAfter, 2500)
    }),
  )
})

it.effect("the Gemini provider sends no request without a key", () =>
  Effect.gen(function* () {
    const provider = google(parseOptions({}, { root: ".", secret: () => undefined }))
    const failure = yield* Effect.flip(provider.generate!(request()))
    assert.strictEqual(failure.class, "auth")
    assert.include(failure.message, "GEMINI_API_KEY")
    assert.strictEqual(yield* provider.available!, failure.message)
  }),
)
