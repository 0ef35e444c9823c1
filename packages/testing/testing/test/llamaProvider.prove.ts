/** The provider against a real llama.cpp server: text, JSON forms, tools, templates, overflow, keys, cancellation, a crash. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { afterAll, assert, describe, it } from "vitest"
import type { ModelFailed, ModelReply, ModelRequest, Provider } from "@planloom/plugin/effect"
import { llamaServer, ownModel } from "./llama/LlamaServer.ts"
import { matrix, tokensOf } from "./llama/matrix.ts"
import { providerAt, runOnLlama } from "./llama/runOnLlama.ts"

const request: ModelRequest = {
  model: "tiny",
  system: [{ text: "You plan." }],
  messages: [{ role: "user", content: "sales by region" }],
  maxTokens: 200,
  temperature: 0,
}
const schema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "count", "tags"],
  properties: {
    name: { type: "string", maxLength: 20 },
    count: { type: "integer" },
    tags: { type: "array", maxItems: 2, items: { enum: ["sales", "region"] } },
  },
} as const
const withSchema: ModelRequest = { ...request, output: { name: "plan", schema } }
const tool = {
  name: "top",
  description: "Keeps the best.",
  parameters: {
    type: "object",
    properties: { limit: { type: "integer" } },
    required: ["limit"],
    additionalProperties: false,
  },
} as const
/** A reply without an end. */
const endless: ModelRequest = { ...request, maxTokens: 60_000, options: { ignore_eos: true } }
const caller = { word: "find", calls: true } as const

const generate = (provider: Provider, what: ModelRequest): Promise<Omit<ModelReply, "model">> =>
  Effect.runPromise(provider.generate!(what))
const failureOf = (provider: Provider, what: ModelRequest): Promise<ModelFailed> =>
  Effect.runPromise(Effect.flip(provider.generate!(what)))
const partsOf = (provider: Provider, what: ModelRequest) =>
  Effect.runPromise(Stream.runCollect(provider.stream!(what)))

/** A stage that is to write JSON in a form. */
const asking = (form: string, more = "") => `
models: { main: { try: [llamacpp/tiny], structured: ${form}, temperature: 0, max_tokens: 300 } }
stages:
  - { id: say, uses: generate, model: main, with: { task: Name it., schema: ${JSON.stringify(schema)} } ${more} }
`

matrix({ afterAll, describe, it }, "llama.cpp: provider", (row) => {
  row("text is the same whole and streamed, and the second prompt is cached", async () => {
    await using server = await llamaServer()
    const provider = await providerAt(server)
    const whole = await generate(provider, request)
    const parts = await partsOf(provider, request)
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    const last = parts.at(-1)!
    assert.strictEqual(text, whole.text)
    assert.isTrue(last.type === "finish" && last.reason === whole.finish)
    const streamed = last.type === "finish" ? last.usage : whole.usage
    assert.strictEqual(streamed.input, whole.usage.input)
    assert.strictEqual(streamed.output, whole.usage.output)
    assert.isUndefined(streamed.estimated)
    assert.isAbove(streamed.cached ?? 0, 0)
    return tokensOf([whole.usage, streamed])
  })

  row("a level of reasoning reaches the chat template", async () => {
    await using server = await llamaServer({ template: "hermes" })
    const provider = await providerAt(server)
    const high = await generate(provider, { ...request, reasoning: "high" })
    const none = await generate(provider, { ...request, reasoning: "none" })
    // The template closes the thoughts before the model begins.
    assert.isAbove(none.usage.input, high.usage.input)
    return tokensOf([high.usage, none.usage])
  })

  row("settings of a request are accepted", async () => {
    await using server = await llamaServer()
    const all = { ...request, temperature: 0.1, topK: 20, seed: 7, stop: ["in"] }
    const reply = await generate(await providerAt(server), all)
    if (ownModel === undefined) assert.strictEqual(reply.text, "f")
    return tokensOf([reply.usage])
  })

  row("JSON of a schema is valid, whole and streamed", async () => {
    await using server = await llamaServer()
    const provider = await providerAt(server)
    const whole = await generate(provider, withSchema)
    const { count, name, tags } = JSON.parse(whole.text) as Record<string, unknown>
    assert.isTrue(Number.isInteger(count) && typeof name === "string" && Array.isArray(tags))
    const parts = await partsOf(provider, withSchema)
    assert.strictEqual(
      parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
      whole.text,
    )
    return tokensOf([whole.usage])
  })

  row("JSON as a tool's arguments is forced with a template that has tools", async (context) => {
    if (ownModel !== undefined) context.skip("the JSON of a model of one's own may be cut")
    await using server = await llamaServer({ template: "hermes", model: caller })
    const { events, failure, usages } = await runOnLlama(server, asking("tool"))
    assert.isUndefined(failure)
    const read = events.filter((event) => event.type === "ReplyRead")
    assert.deepStrictEqual(
      read.map(({ rung }) => rung),
      ["direct"],
    )
    return tokensOf(usages)
  })

  row(
    "JSON as a tool's arguments with a template without tools ends valid or invalid_output",
    async () => {
      await using server = await llamaServer()
      const { failure, usages } = await runOnLlama(server, asking("tool"))
      if (failure !== undefined) assert.strictEqual(failure.class, "invalid_output")
      return `${failure?.class ?? "valid"}, ${tokensOf(usages)}`
    },
  )

  row("JSON without a schema is an object (json_object)", async () => {
    await using server = await llamaServer()
    const provider = await providerAt(server, { structured: ["json_object"] })
    const reply = await generate(provider, withSchema)
    assert.isObject(JSON.parse(reply.text))
    return tokensOf([reply.usage])
  })

  row("JSON as text sends the schema in the prompt", async () => {
    await using server = await llamaServer()
    const provider = await providerAt(server)
    const bare = await generate(provider, request)
    const { output } = withSchema
    const reply = await generate(provider, { ...request, output: { ...output!, form: "text" } })
    assert.isAbove(reply.usage.input, bare.usage.input)
    return tokensOf([reply.usage])
  })

  row("a schema that its grammar refuses goes to the next form, with an event", async () => {
    await using server = await llamaServer()
    const { events, failure, usages } = await runOnLlama(
      server,
      asking("json_schema").replace('"maxLength":20', '"minLength":3000'),
    )
    // Without the grammar a model need not write so long a name.
    assert.include([undefined, "invalid_output"], failure?.class)
    assert.isTrue(
      events.some((event) => event.type === "Progressed" && JSON.stringify(event).includes("json")),
    )
    return `${failure?.class ?? "valid"}, ${tokensOf(usages)}`
  })

  for (const way of ["whole", "streamed"] as const) {
    row(`tools are called with results in the conversation, ${way}`, async (context) => {
      if (ownModel !== undefined) context.skip("a model of one's own need not call a tool")
      await using server = await llamaServer({ template: "hermes", model: caller })
      const provider = await providerAt(server)
      const what: ModelRequest = {
        ...request,
        tools: [tool],
        messages: [
          ...request.messages,
          {
            role: "assistant",
            content: "",
            toolCalls: [{ id: "call_0", name: "top", arguments: { limit: 3 } }],
          },
          { role: "tool", toolCallId: "call_0", name: "top", content: { rows: [] } },
        ],
      }
      if (way === "whole") {
        const { finish, toolCalls, usage } = await generate(provider, what)
        assert.strictEqual(finish, "tool_calls")
        assert.deepStrictEqual(toolCalls[0]?.arguments, { limit: 1 })
        return tokensOf([usage])
      }
      const parts = await partsOf(provider, what)
      const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
      assert.deepStrictEqual(calls[0]?.arguments, { limit: 1 })
      return `${calls.length} call`
    })
  }

  row("a prompt larger than the context of 4,096 tokens is context_length", async () => {
    await using server = await llamaServer({ context: 4096 })
    const provider = await providerAt(server)
    const long = {
      ...request,
      messages: [{ role: "user", content: "north ".repeat(8000) }],
    } as const
    const failure = await failureOf(provider, long)
    assert.strictEqual(failure.class, "context_length")
    const stream = Stream.runDrain(provider.stream!(long))
    assert.strictEqual((await Effect.runPromise(Effect.flip(stream))).class, "context_length")
    return failure.message.slice(0, 90)
  })

  for (const way of ["whole", "streamed"] as const) {
    const replyOf = async (provider: Provider, what: ModelRequest) => {
      if (way === "whole") return generate(provider, what)
      const parts = await partsOf(provider, what)
      const last = parts.at(-1)
      assert(last?.type === "finish")
      const toolCalls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
      return { finish: last.reason, usage: last.usage, toolCalls }
    }

    row(`a reply that ended by itself is stop, one that was cut is length, ${way}`, async () => {
      await using server = await llamaServer()
      const provider = await providerAt(server)
      const cut = await replyOf(provider, { ...endless, maxTokens: 5 })
      assert.strictEqual(cut.finish, "length")
      const whole = await replyOf(provider, request)
      if (ownModel === undefined) assert.strictEqual(whole.finish, "stop")
      return `${cut.finish}, ${whole.finish}, ${tokensOf([cut.usage, whole.usage])}`
    })

    row(`a call that was cut anywhere is length, ${way}`, async (context) => {
      if (ownModel !== undefined) context.skip("a model of one's own need not call a tool")
      await using server = await llamaServer({ template: "hermes", model: caller })
      const provider = await providerAt(server)
      const seen: Array<string> = []
      for (let maxTokens = 2; maxTokens < 60; maxTokens += 3) {
        const { finish, toolCalls } = await replyOf(provider, {
          ...request,
          tools: [tool],
          maxTokens,
        })
        if (finish !== "tool_calls") assert.strictEqual(finish, "length")
        for (const { arguments: given, written } of toolCalls) {
          seen.push(`${maxTokens}: ${finish} ${written ?? JSON.stringify(given)}`)
        }
      }
      assert.isTrue(seen.some((one) => one.includes("length")))
      assert.match(seen.at(-1)!, /tool_calls \{"limit":1\}$/)
      return seen.join(" · ")
    })
  }

  row("a missing or wrong key is auth, the right one is accepted", async () => {
    const secret = "not-a-real-key"
    await using wrong = await llamaServer({ args: ["--api-key", "another"] })
    assert.strictEqual((await failureOf(await providerAt(wrong), request)).class, "auth")
    const key = { key: "LLAMA_KEY" }
    assert.strictEqual((await failureOf(await providerAt(wrong, key), request)).class, "auth")
    await using right = await llamaServer({ args: ["--api-key", secret] })
    const reply = await generate(await providerAt(right, key), request)
    return tokensOf([reply.usage])
  })

  for (const way of ["generate", "stream"] as const) {
    row(`an interrupted ${way} releases the slot`, async () => {
      await using server = await llamaServer()
      const provider = await providerAt(server)
      const work: Effect.Effect<unknown, unknown> =
        way === "generate"
          ? provider.generate!(endless)
          : Stream.runDrain(provider.stream!(endless))
      const fiber = Effect.runFork(work)
      await server.working()
      await Effect.runPromise(Fiber.interrupt(fiber))
      await server.cancelled()
      return "released"
    })
  }

  row("the timeout of a stage releases the slot", async () => {
    await using server = await llamaServer()
    const { failure } = await runOnLlama(
      server,
      `
models: { main: { try: [llamacpp/tiny], max_tokens: 60000, options: { ignore_eos: true } } }
stages: [{ id: say, uses: generate, model: main, timeout: 300ms, with: { task: Say it. } }]
`,
    )
    assert.strictEqual(failure?.class, "timeout")
    await server.cancelled()
    return "released"
  })

  row("a server that dies within its reply is unavailable", async () => {
    const server = await llamaServer()
    const provider = await providerAt(server)
    const failing = failureOf(provider, endless)
    await server.working()
    await server.kill()
    const failure = await failing
    assert.strictEqual(failure.class, "unavailable")
    return failure.message.slice(0, 90)
  })
})
