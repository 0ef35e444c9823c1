/** The adapter against models made with Effect AI's own constructor. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Stream } from "effect"
import { AiError, LanguageModel, Tool } from "effect/ai"
import type { Response } from "effect/ai"
import type { ModelRequest, Usage } from "@planloom/plugin/effect"
import { fromLanguageModel, type LanguageModelOptions } from "./fromLanguageModel.ts"

const finish = (reason: Response.FinishReason = "stop"): Response.FinishPartEncoded => ({
  type: "finish",
  reason,
  usage: {
    inputTokens: { uncached: 7, total: 10, cacheRead: 3, cacheWrite: undefined },
    outputTokens: { total: 5, text: 4, reasoning: 1 },
  },
})

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "small",
  system: [{ text: "You plan.", cache: true }],
  messages: [{ role: "user", content: "sales by region" }],
  ...more,
})

interface Answer {
  readonly parts?: ReadonlyArray<Response.PartEncoded>
  readonly stream?: ReadonlyArray<Response.StreamPartEncoded>
  readonly error?: AiError.AiErrorReason
  readonly wait?: Effect.Effect<void>
}

/** A provider over a model with a scripted reply, and every request sent to the model. */
const setup = (answer: Answer, options: LanguageModelOptions = {}) =>
  Effect.gen(function* () {
    const requests: Array<LanguageModel.ProviderOptions> = []
    const refuse = (reason: AiError.AiErrorReason) =>
      AiError.make({ module: "Test", method: "generateText", reason })
    const model = yield* LanguageModel.make({
      generateText: (sent) =>
        Effect.gen(function* () {
          requests.push(sent)
          yield* answer.wait ?? Effect.void
          if (answer.error !== undefined) return yield* refuse(answer.error)
          return [...(answer.parts ?? [])]
        }),
      streamText: (sent) => {
        requests.push(sent)
        const parts = Stream.fromIterable(answer.stream ?? [])
        return answer.error === undefined
          ? parts
          : Stream.concat(parts, Stream.fail(refuse(answer.error)))
      },
    })
    return { provider: fromLanguageModel("acme", model, options), requests }
  })

const schema = {
  type: "object",
  properties: { metrics: { type: "array", items: { type: "string" } } },
  required: ["metrics"],
  additionalProperties: false,
}

describe("a text reply from a LanguageModel", () => {
  it.effect("contains text, reasoning, finish reason and tokens", () =>
    Effect.gen(function* () {
      const { provider } = yield* setup({
        parts: [
          { type: "reasoning", text: "two regions" },
          { type: "text", text: "North " },
          { type: "text", text: "leads" },
          finish("length"),
        ],
      })
      assert.deepStrictEqual(yield* provider.generate!(request()), {
        text: "North leads",
        reasoning: "two regions",
        toolCalls: [],
        finish: "length",
        usage: { input: 10, output: 5, cached: 3 },
      })
    }),
  )

  it.effect("is requested with every system block and message in order", () =>
    Effect.gen(function* () {
      const { requests, provider } = yield* setup({
        parts: [{ type: "text", text: "ok" }, finish()],
      })
      yield* provider.generate!(
        request({
          system: [{ text: "one" }, { text: "two" }],
          messages: [
            { role: "user", content: [{ type: "image", mediaType: "image/png", data: "aGk=" }] },
            {
              role: "assistant",
              content: "",
              toolCalls: [{ id: "c1", name: "top", arguments: { limit: 3 } }],
            },
            { role: "tool", toolCallId: "c1", name: "top", content: { rows: 3 } },
          ],
        }),
      )
      const sent = requests[0]!.prompt.content
      assert.deepStrictEqual(
        sent.map(({ role }) => role),
        ["system", "system", "user", "assistant", "tool"],
      )
      const [, second, image, call, result] = sent
      assert.strictEqual(second!.content, "two")
      assert.deepInclude(image!.content[0], { type: "file", mediaType: "image/png" })
      assert.lengthOf(call!.content as ReadonlyArray<unknown>, 1)
      assert.deepInclude(call!.content[0], { type: "tool-call", id: "c1", params: { limit: 3 } })
      assert.deepInclude(result!.content[0], { type: "tool-result", id: "c1", result: { rows: 3 } })
    }),
  )

  it.effect("is requested with the cache options on marked system blocks only", () =>
    Effect.gen(function* () {
      const { requests, provider } = yield* setup(
        { parts: [{ type: "text", text: "ok" }, finish()] },
        { cache: { acme: { keep: true } } },
      )
      yield* provider.generate!(
        request({ system: [{ text: "stable", cache: true }, { text: "fresh" }] }),
      )
      const [stable, fresh] = requests[0]!.prompt.content
      assert.deepStrictEqual(stable!.options, { acme: { keep: true } })
      assert.deepStrictEqual(fresh!.options, {})
    }),
  )

  it.effect(
    "can come from a model chosen by name, with the request's settings in its context",
    () =>
      Effect.gen(function* () {
        const Temperature = Context.Service<number>("test/Temperature")
        const seen: Array<readonly [string, number]> = []
        const named = (name: string) =>
          LanguageModel.make({
            generateText: () =>
              Effect.gen(function* () {
                const given = yield* Effect.serviceOption(Temperature)
                if (given._tag === "Some") seen.push([name, given.value])
                return [{ type: "text", text: name }, finish()]
              }),
            streamText: () => Stream.empty,
          })
        const models = { big: yield* named("big"), small: yield* named("small") }
        const provider = fromLanguageModel("acme", (name) => models[name as "big" | "small"], {
          settings: ({ temperature }) => Context.make(Temperature, temperature ?? 1) as never,
        })
        const reply = yield* provider.generate!(request({ model: "big", temperature: 0.25 }))
        assert.strictEqual(reply.text, "big")
        assert.deepStrictEqual(seen, [["big", 0.25]])
      }),
  )
})

describe("usage of a LanguageModel call", () => {
  const used = (
    inputTokens: Partial<Response.FinishPartEncoded["usage"]["inputTokens"]>,
    outputTokens: Partial<Response.FinishPartEncoded["usage"]["outputTokens"]>,
  ): Response.FinishPartEncoded => ({
    type: "finish",
    reason: "stop",
    usage: {
      inputTokens: {
        uncached: undefined,
        total: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
        ...inputTokens,
      },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined, ...outputTokens },
    },
  })
  const rows: ReadonlyArray<readonly [Response.FinishPartEncoded | undefined, Usage]> = [
    [
      used({ total: 20, uncached: 7, cacheRead: 8, cacheWrite: 5 }, { total: 5 }),
      { input: 20, output: 5, cached: 8, written: 5 },
    ],
    [used({ total: 20 }, { total: 5 }), { input: 20, output: 5 }],
    [
      used({ uncached: 7, cacheRead: 8, cacheWrite: 5 }, { text: 4, reasoning: 2 }),
      { input: 20, output: 6, cached: 8, written: 5, estimated: true },
    ],
    [used({ total: 20 }, {}), { input: 20, output: 0, estimated: true }],
    [used({}, { total: 5 }), { input: 0, output: 5, estimated: true }],
    [used({}, {}), { input: 0, output: 0, estimated: true }],
    [undefined, { input: 0, output: 0, estimated: true }],
  ]
  it.effect("has the reported tokens, and is estimated if counts are missing", () =>
    Effect.gen(function* () {
      for (const [reported, usage] of rows) {
        const { provider } = yield* setup({ parts: reported === undefined ? [] : [reported] })
        assert.deepStrictEqual((yield* provider.generate!(request())).usage, usage)
        if (reported === undefined) continue
        const streaming = yield* setup({ stream: [reported] })
        assert.deepStrictEqual(yield* Stream.runCollect(streaming.provider.stream!(request())), [
          { type: "finish", reason: "stop", usage },
        ])
      }
    }),
  )

  it.effect("comes with the service's request id, whole and streamed", () =>
    Effect.gen(function* () {
      const metadata: Response.ResponseMetadataPartEncoded = {
        type: "response-metadata",
        id: "resp_7",
        modelId: undefined,
        timestamp: undefined,
      }
      const named = yield* setup({ parts: [metadata, finish()], stream: [metadata, finish()] })
      assert.strictEqual((yield* named.provider.generate!(request())).requestId, "resp_7")
      const twice = named.provider.stream!(request())
      for (const parts of [yield* Stream.runCollect(twice), yield* Stream.runCollect(twice)]) {
        assert.lengthOf(parts, 1)
        assert.deepInclude(parts[0], { type: "finish", requestId: "resp_7" })
      }
      const nameless = yield* setup({ parts: [finish()], stream: [finish()] })
      assert.notProperty(yield* nameless.provider.generate!(request()), "requestId")
      const [last] = yield* Stream.runCollect(nameless.provider.stream!(request()))
      assert.notProperty(last, "requestId")
    }),
  )
})

describe("a JSON reply from a LanguageModel", () => {
  it.effect("is requested natively and returned as the model wrote it", () =>
    Effect.gen(function* () {
      const { requests, provider } = yield* setup({
        parts: [{ type: "text", text: '{"metrics": ["revenue"]}' }, finish()],
      })
      const reply = yield* provider.generate!(request({ output: { name: "requirements", schema } }))
      assert.strictEqual(reply.text, '{"metrics": ["revenue"]}')
      assert.strictEqual(reply.usage.input, 10)
      const format = requests[0]!.responseFormat
      assert.strictEqual(format.type, "json")
      if (format.type !== "json") return
      assert.strictEqual(format.objectName, "requirements")
      const { properties, required } = Tool.getJsonSchemaFromSchema(format.schema)
      assert.deepStrictEqual(
        { properties, required },
        {
          properties: schema.properties,
          required: schema.required,
        },
      )
    }),
  )

  it.effect("is returned with its tokens if it does not match the schema", () =>
    Effect.gen(function* () {
      const { provider } = yield* setup({
        parts: [{ type: "text", text: "Sure! ```json {}```" }, finish()],
      })
      const reply = yield* provider.generate!(request({ output: { name: "requirements", schema } }))
      assert.strictEqual(reply.text, "Sure! ```json {}```")
      assert.deepStrictEqual(reply.usage, { input: 10, output: 5, cached: 3 })
    }),
  )

  it.effect("is requested as text if Effect Schema cannot express the schema", () =>
    Effect.gen(function* () {
      const { requests, provider } = yield* setup({
        parts: [{ type: "text", text: "[]" }, finish()],
      })
      for (const odd of [
        true,
        { type: "array" },
        { type: "object", dependentSchemas: { a: {} } },
      ]) {
        yield* provider.generate!(request({ output: { name: "odd", schema: odd } }))
      }
      assert.strictEqual(requests[0]!.responseFormat.type, "text")
      assert.strictEqual(requests[1]!.responseFormat.type, "text")
      assert.lengthOf(requests, 3)
    }),
  )
})

describe("tool calls from a LanguageModel", () => {
  const tools: ModelRequest["tools"] = [
    {
      name: "aggregate",
      description: "Sums by group.",
      parameters: {
        type: "object",
        properties: { by: { type: "string" } },
        required: ["by"],
      },
    },
  ]

  it.effect("are returned without being run, even with invalid arguments or an unknown tool", () =>
    Effect.gen(function* () {
      const { requests, provider } = yield* setup({
        parts: [
          { type: "tool-call", id: "1", name: "aggregate", params: { by: 3 } },
          { type: "tool-call", id: "2", name: "invented", params: {} },
          finish("tool-calls"),
        ],
      })
      const reply = yield* provider.generate!(request({ tools }))
      assert.strictEqual(reply.finish, "tool_calls")
      assert.deepStrictEqual(reply.toolCalls, [
        { id: "1", name: "aggregate", arguments: { by: 3 } },
        { id: "2", name: "invented", arguments: {} },
      ])
      assert.deepStrictEqual(Tool.getJsonSchema(requests[0]!.tools[0]!), tools[0]!.parameters)
      assert.strictEqual(Tool.getDescription(requests[0]!.tools[0]!), "Sums by group.")
    }),
  )
})

describe("a stream from a LanguageModel", () => {
  it.effect("emits text, reasoning and tool calls in order, and the finish last", () =>
    Effect.gen(function* () {
      const { provider } = yield* setup({
        stream: [
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "hm" },
          { type: "reasoning-end", id: "r" },
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "No" },
          { type: "text-delta", id: "t", delta: "rth" },
          { type: "text-end", id: "t" },
          finish(),
        ],
      })
      assert.deepStrictEqual(yield* Stream.runCollect(provider.stream!(request())), [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "No" },
        { type: "text", text: "rth" },
        { type: "finish", reason: "stop", usage: { input: 10, output: 5, cached: 3 } },
      ])
    }),
  )

  it.effect("fails after its other parts if it ends with an error part", () =>
    Effect.gen(function* () {
      const { provider } = yield* setup({
        stream: [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "No" },
          { type: "error", error: "connection lost" },
        ],
      })
      const came: Array<string> = []
      const failure = yield* provider.stream!(request()).pipe(
        Stream.runForEach((part) => Effect.sync(() => came.push(part.type))),
        Effect.flip,
      )
      assert.deepStrictEqual(came, ["text"])
      assert.strictEqual(failure.class, "unavailable")
    }),
  )
})

describe("a failure of a LanguageModel", () => {
  const http = (status: number) => ({ response: { status, headers: {} } })
  it.effect.each([
    [new AiError.RateLimitError({}), "rate_limit"],
    [new AiError.QuotaExhaustedError({}), "auth"],
    [new AiError.AuthenticationError({ kind: "InvalidKey" }), "auth"],
    [new AiError.ContentPolicyError({ description: "refused" }), "content_filter"],
    [new AiError.InternalProviderError({ description: "oops" }), "unavailable"],
    [new AiError.InternalProviderError({ description: "busy", http: http(529) }), "overloaded"],
    [new AiError.InvalidRequestError({ description: "bad field" }), "invalid_request"],
    [
      new AiError.InvalidRequestError({
        description: "prompt is too long: 210000 tokens > 200000",
      }),
      "context_length",
    ],
    [new AiError.InvalidOutputError({ description: "no part" }), "invalid_output"],
    [new AiError.UnknownError({}), "unavailable"],
  ] as const)("%s is of class %s", ([reason, expected]) =>
    Effect.gen(function* () {
      const { provider } = yield* setup({ error: reason })
      const failure = yield* Effect.flip(provider.generate!(request()))
      assert.strictEqual(failure._tag, "ModelFailed")
      assert.strictEqual(failure.class, expected)
      assert.strictEqual(failure.model, "acme/small")
      const streamed = yield* Effect.flip(Stream.runDrain(provider.stream!(request())))
      assert.strictEqual(streamed.class, expected)
    }),
  )

  it.effect("has a message without query strings of URLs", () =>
    Effect.gen(function* () {
      const reason = new AiError.InternalProviderError({
        description: "down (POST https://acme.test/v1/ask?key=s3cret&alt=json) [requestId: 7]",
      })
      const { provider } = yield* setup({ error: reason })
      const { message } = yield* Effect.flip(provider.generate!(request()))
      assert.notInclude(message, "s3cret")
      assert.include(message, "down (POST https://acme.test/v1/ask) [requestId: 7]")
    }),
  )

  it.effect("carries the service's retry delay in milliseconds", () =>
    Effect.gen(function* () {
      const { provider } = yield* setup({
        error: new AiError.RateLimitError({ retryAfter: Duration.seconds(2) }),
      })
      const failure = yield* Effect.flip(provider.generate!(request()))
      assert.strictEqual(failure.retryAfter, 2000)
    }),
  )
})

it.effect("interrupting a call interrupts the LanguageModel", () =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void>()
    let stopped = false
    const { provider } = yield* setup({
      wait: Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Effect.sync(() => (stopped = true))),
      ),
    })
    const call = yield* Effect.forkChild(provider.generate!(request()))
    yield* Deferred.await(started)
    yield* Fiber.interrupt(call)
    assert.isTrue(Exit.isFailure(yield* Fiber.await(call)))
    assert.isTrue(stopped)
  }),
)
