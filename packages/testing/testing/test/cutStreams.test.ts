/** Replies with two tool calls side by side that are cut wherever they can be, with the real SDKs over real HTTP. */
import { Effect, Stream } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import {
  toFailureRecord,
  type FailureRecord,
  type Host,
  type JsonObject,
  type ModelPart,
  type ModelRequest,
  type Provider,
} from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { wireServer } from "../src/double/wire/wireServer.ts"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import type { WireServer } from "../src/double/wire/wireServer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }
const request: ModelRequest = {
  model: "small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  tools: [{ name: "top", description: "Best.", parameters: { type: "object" } }],
}

const open: Array<WireServer> = []
const opened = async (...answers: ReadonlyArray<WireAnswer>): Promise<WireServer> => {
  const server = await wireServer({ answers })
  open.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const setUp = async (plugin: typeof anthropicPlugin, config: unknown, id: string) => {
  const { providers = [] } = await Effect.runPromise(Effect.scoped(plugin.setup!(config, host)))
  return providers.find((provider) => provider.id === id)!
}

interface Wire {
  readonly provider: (url: string) => Promise<Provider>
  /** The events of the whole stream; arguments of both calls come in turns where the protocol can say so. */
  readonly events: ReadonlyArray<JsonObject | string>
  /** How many events must have come before the reply counts as ended. */
  readonly endsAfter: number
  /** How many must have come before the tokens of the prompt, and the service's name of the request, are told. */
  readonly toldAfter: number
  readonly namedAfter: number
  readonly headers: Record<string, string>
}

const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "small",
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (index: number, more: JsonObject) => chunk({ tool_calls: [{ index, ...more }] })
const piece = (parts: ReadonlyArray<JsonObject>, more: JsonObject = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...more }],
  usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 9, totalTokenCount: 79 },
  responseId: "resp_1",
})
const block = (index: number, id: string) => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id, name: "top", input: {} },
})
const json = (index: number, partial_json: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json },
})

const wires: { readonly [name: string]: Wire } = {
  anthropic: {
    provider: (url) => setUp(anthropicPlugin, { base_url: url }, "anthropic"),
    events: [
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "small",
          content: [],
          stop_reason: null,
          usage: { input_tokens: 70, output_tokens: 1 },
        },
      },
      block(0, "a"),
      json(0, '{"li'),
      block(1, "b"),
      json(1, '{"lim'),
      json(0, 'mit":3}'),
      { type: "content_block_stop", index: 0 },
      json(1, 'it":4}'),
      { type: "content_block_stop", index: 1 },
      {
        type: "message_delta",
        delta: { stop_reason: "tool_use", stop_sequence: null },
        usage: { output_tokens: 9 },
      },
      { type: "message_stop" },
    ],
    endsAfter: 11,
    toldAfter: 1,
    namedAfter: 0,
    headers: { "request-id": "req_1" },
  },
  google: {
    provider: (url) => setUp(googlePlugin, { base_url: url }, "google"),
    events: [
      piece([{ text: "Two " }]),
      piece([{ functionCall: { id: "a", name: "top", args: { limit: 3 } } }]),
      piece([{ functionCall: { id: "b", name: "top", args: { limit: 4 } } }]),
      piece([{ text: "" }], { finishReason: "STOP" }),
    ],
    endsAfter: 4,
    toldAfter: 1,
    namedAfter: 1,
    headers: {},
  },
  openai: {
    provider: (url) =>
      setUp(openaiPlugin, { servers: { openai: { base_url: `${url}/v1` } } }, "openai"),
    events: [
      chunk({ role: "assistant", content: "" }),
      call(0, { id: "a", type: "function", function: { name: "top", arguments: "" } }),
      call(0, { function: { arguments: '{"li' } }),
      call(1, { id: "b", type: "function", function: { name: "top", arguments: '{"lim' } }),
      call(0, { function: { arguments: 'mit":3}' } }),
      call(1, { function: { arguments: 'it":4}' } }),
      chunk({}, "tool_calls"),
      {
        ...chunk({}),
        choices: [],
        usage: { prompt_tokens: 70, completion_tokens: 9, total_tokens: 79 },
      },
      "[DONE]",
    ],
    endsAfter: 7,
    toldAfter: 8,
    namedAfter: 0,
    headers: { "x-request-id": "req_1" },
  },
}

const calls = [3, 4].map((limit, index) => ({
  type: "tool_call" as const,
  call: { id: ["a", "b"][index]!, name: "top", arguments: { limit } },
}))

/** As server-sent events, named as Anthropic's SDK wants them. */
const body = (events: ReadonlyArray<JsonObject | string>): string =>
  events
    .map((event) =>
      typeof event === "string"
        ? `data: ${event}\n\n`
        : `${typeof event["type"] === "string" ? `event: ${event["type"]}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    )
    .join("")

/** What came of a stream before its end, and how it failed where it did. */
const outcome = async (
  provider: Provider,
  asked: ModelRequest = request,
): Promise<{ readonly parts: ReadonlyArray<ModelPart>; readonly failure?: FailureRecord }> => {
  const parts: Array<ModelPart> = []
  const failed = await Effect.runPromise(
    provider.stream!(asked).pipe(
      Stream.runForEach((part) => Effect.sync(() => void parts.push(part))),
      Effect.match({ onSuccess: () => undefined, onFailure: toFailureRecord }),
    ) as Effect.Effect<FailureRecord | undefined>,
  )
  return { parts, ...(failed === undefined ? {} : { failure: failed }) }
}

describe.each(Object.keys(wires))("%s", (name) => {
  const { endsAfter, events, headers, namedAfter, provider, toldAfter } = wires[name]!

  it("gives no call that is half done, and counts what was told, wherever a reply ends", async () => {
    for (let count = 0; count <= events.length; count++) {
      const server = await opened({
        raw: {
          headers: { "content-type": "text/event-stream", ...headers },
          body: body(events.slice(0, count)),
        },
      })
      const { failure, parts } = await outcome(await provider(server.url))
      const given = parts.filter(({ type }) => type === "tool_call")
      const at = `after ${count} of ${events.length} events`
      assert.deepStrictEqual(given, calls.slice(0, given.length), at)
      const told = count >= toldAfter
      if (count < endsAfter) {
        assert.strictEqual(failure?.class, "unavailable", at)
        assert.isTrue(failure?.usage?.estimated, at)
        assert.strictEqual(failure?.usage?.input, told ? 70 : 0, at)
        const { requestId } = (failure?.detail ?? {}) as { readonly requestId?: string }
        assert.strictEqual(requestId !== undefined, count >= namedAfter, at)
        assert.isFalse(
          parts.some(({ type }) => type === "finish"),
          at,
        )
      } else {
        assert.isUndefined(failure, at)
        assert.lengthOf(given, 2, at)
        const finish = parts.at(-1)
        assert.deepInclude(finish, { type: "finish", reason: "tool_calls" }, at)
        assert.deepNestedInclude(
          finish,
          { usage: told ? { input: 70, output: 9 } : { input: 0, output: 0, estimated: true } },
          at,
        )
      }
    }
  })

  it("keeps replies that come side by side apart, those that are cut and those that are whole", async () => {
    const count = 12
    const isCut = (index: number) => index % 3 === 0
    const answers = Array.from({ length: count }, (_, index) => ({
      when: `number ${index}.`,
      usage: { input: 100 + index, output: 10 + index },
      tool_calls: [3, 4].map((limit) => ({ name: "top", arguments: { limit, index } })),
      ...(isCut(index) ? { fault: "cut" as const } : {}),
    }))
    const server = await opened(...answers, { text: "nobody asks for this" })
    const shared = await provider(server.url)
    const all = await Promise.all(
      answers.map(({ when }) =>
        outcome(shared, { ...request, messages: [{ role: "user", content: when }] }),
      ),
    )
    for (const [index, { failure, parts }] of all.entries()) {
      const given = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
      const expected = [3, 4].map((limit) => ({ limit, index }))
      if (isCut(index)) {
        assert.strictEqual(failure?.class, "unavailable")
        assert.strictEqual(failure?.usage?.input, name === "openai" ? 0 : 100 + index)
      } else {
        assert.isUndefined(failure)
        assert.deepInclude(parts.at(-1), { usage: { input: 100 + index, output: 10 + index } })
        assert.lengthOf(new Set(given.map(({ id }) => id)), 2)
      }
      assert.deepStrictEqual(
        given.map((one) => one.arguments),
        expected.slice(0, given.length),
      )
    }
    assert.strictEqual(server.requests.length, count)
  })
})
