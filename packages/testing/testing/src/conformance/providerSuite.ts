/** What every model provider promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  FailureClass,
  ModelFailed,
  ModelPart,
  ModelReply,
  ModelRequest,
  Provider,
  RequestSetting,
  Usage,
} from "@planloom/plugin/effect"
import { deepFrozen, expectId, expectPlainData, expectSummary, failureOf } from "./expectations.ts"
import { expectInterruptible } from "./interrupted.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"
import type { ScriptedReply } from "../file/WorkflowTest.ts"

/** A provider whose service will answer every request like this, and how often that was asked. */
export interface AnsweringProvider {
  readonly provider: Provider
  /** Requests the service has received. */
  readonly asked: () => number
  /** Names of the functions that the last request declared, as the service read them; for a service that takes not every name. */
  readonly functions?: () => ReadonlyArray<string>
}

export interface ProviderSuiteOptions {
  /** Failure classes its service can report. */
  readonly failures?: ReadonlyArray<FailureClass>
  /** Whether it can show a model's reasoning. */
  readonly reasoning?: boolean
}

const request: ModelRequest = deepFrozen({
  model: "small",
  system: [{ text: "You plan.", cache: true }, { text: "Be brief." }],
  messages: [
    { role: "user", content: "sales by region" },
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "call_0", name: "top", arguments: { limit: 3 } }],
    },
    { role: "tool", toolCallId: "call_0", name: "top", content: { rows: [] } },
    { role: "user", content: [{ type: "text", text: "and by month?" }] },
  ],
  tools: [
    {
      name: "top",
      description: "Keeps the best.",
      parameters: { type: "object", properties: { limit: { type: "integer" } } },
    },
  ],
  temperature: 0,
  maxTokens: 100,
})

const long = `base.${"get_a_very_long_name_of_a_tool_".repeat(7)}`.slice(0, 199)

/** Names of tools that many services do not take, or that look alike once other characters are put in their place. */
const toolNames: ReadonlyArray<string> = [
  "a.b",
  "a_b",
  "a__b",
  "a-b",
  "a..b",
  "A.b",
  "base.größe",
  "1st",
  "x".repeat(64),
  `${"x".repeat(63)}.`,
  `${long}a`,
  `${long}b`,
]

const manyNamed: ModelRequest = deepFrozen({
  model: "small",
  system: [],
  messages: [
    { role: "user", content: "look" },
    {
      role: "assistant",
      content: "",
      toolCalls: toolNames.map((name, at) => ({ id: `call_${at}`, name, arguments: {} })),
    },
    ...toolNames.map((name, at) => ({
      role: "tool" as const,
      toolCallId: `call_${at}`,
      name,
      content: null,
    })),
    { role: "user", content: "again" },
  ],
  tools: toolNames.map((name) => ({
    name,
    description: "Looks.",
    parameters: { type: "object", properties: {} },
  })),
})

const settings: ReadonlySet<string> = new Set<RequestSetting>([
  "temperature",
  "top_k",
  "seed",
  "stop",
])

type Whole = Omit<ModelReply, "model">

/** Of a service that reported its tokens. */
const expectUsage = (usage: Usage): void => {
  const { cached = 0, input, output, written = 0 } = usage
  for (const [name, tokens] of Object.entries({ input, output, cached, written })) {
    assert.ok(Number.isSafeInteger(tokens) && tokens >= 0, `${name} tokens are no count: ${tokens}`)
  }
  assert.ok(cached + written <= input, "what the cache read or wrote is no part of the input")
  assert.equal(
    usage.estimated,
    undefined,
    "the service reported its tokens, so they are not an estimate",
  )
}

/** The fold of a stream, which must be the reply itself. */
const folded = (parts: ReadonlyArray<ModelPart>): Whole => {
  const last = parts.at(-1)
  assert.equal(last?.type, "finish", "the stream does not end with a finish")
  assert.equal(parts.filter(({ type }) => type === "finish").length, 1, "more than one finish")
  if (last?.type !== "finish") throw new Error("unreachable: asserted above")
  const text = (type: "text" | "reasoning") =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("")
  return {
    text: text("text"),
    reasoning: text("reasoning"),
    toolCalls: parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : [])),
    finish: last.reason,
    usage: last.usage,
    ...(last.requestId === undefined ? {} : { requestId: last.requestId }),
  }
}

/** Registers the tests of one provider. `answering` makes it anew for each test. */
export const providerSuite = (
  { describe, it }: SuiteRunner,
  name: string,
  answering: (reply: ScriptedReply) => AnsweringProvider | Promise<AnsweringProvider>,
  options: ProviderSuiteOptions = {},
): void => {
  /** Asks in every way the provider has; each way has a provider of its own. */
  const replies = async (reply: ScriptedReply): Promise<ReadonlyArray<Whole>> => {
    const given: Array<Whole> = []
    const { provider } = await answering(reply)
    if (provider.generate) given.push(await Effect.runPromise(provider.generate(request)))
    const other = (await answering(reply)).provider
    if (other.stream) {
      given.push(folded(await Effect.runPromise(Stream.runCollect(other.stream(request)))))
    }
    return given
  }
  const asking = ({ generate, stream }: Provider, what = request) => [
    ...(generate ? [generate(what)] : []),
    ...(stream ? [Stream.runDrain(stream(what))] : []),
  ]

  describe(`provider ${name}`, () => {
    it("says what it is and can be asked", async () => {
      const { provider } = await answering({ text: "hello" })
      expectId(provider.id)
      expectSummary(provider.summary, `provider ${provider.id}`)
      assert.ok(provider.generate ?? provider.stream, "it has neither generate nor stream")
    })

    it("gives the text, the reason it stopped and the tokens, whole or in parts", async () => {
      const usage = { input: 21, output: 4 }
      for (const reply of await replies({ chunks: ["North ", "lea", "ds"], usage })) {
        assert.equal(reply.text, "North leads")
        assert.equal(reply.finish, "stop")
        assert.equal(reply.usage.input, usage.input)
        assert.equal(reply.usage.output, usage.output)
        assert.deepStrictEqual(reply.toolCalls, [])
        expectPlainData(reply, "the reply")
        expectUsage(reply.usage)
        assert.notEqual(reply.requestId, "", "an empty name of the request")
      }
    })

    it("gives JSON as the model wrote it", async () => {
      for (const reply of await replies({ json: { metrics: ["revenue"], n: 1.5 } })) {
        assert.deepStrictEqual(JSON.parse(reply.text), { metrics: ["revenue"], n: 1.5 })
      }
    })

    it("gives tool calls with their arguments as data, and runs none", async () => {
      const tool_calls = [
        { name: "top", arguments: { limit: 3, by: ["revenue"] } },
        { name: "top", arguments: {} },
      ]
      for (const reply of await replies({ tool_calls })) {
        assert.equal(reply.finish, "tool_calls")
        assert.deepStrictEqual(
          reply.toolCalls.map(({ arguments: args, name: tool }) => ({
            name: tool,
            arguments: args,
          })),
          tool_calls,
        )
        assert.equal(new Set(reply.toolCalls.map(({ id }) => id)).size, 2, "ids repeat")
      }
    })

    it("offers and calls tools under names that its service takes, whatever their own are", async () => {
      for (const way of [0, 1]) {
        const { asked, functions, provider } = await answering({ text: "none" })
        const first = asking(provider, manyNamed)[way]
        if (first === undefined || functions === undefined) continue
        await Effect.runPromise(first as Effect.Effect<unknown, ModelFailed>)
        assert.equal(asked(), 1, "it asked more than once")
        const taken = functions()
        assert.equal(new Set(taken).size, toolNames.length, "two tools have one name")
        // Whatever else is offered, and in which order: a conversation keeps its names.
        const fewer = { ...manyNamed, tools: manyNamed.tools!.slice(1).toReversed() }
        const other = await answering({ text: "none" })
        await Effect.runPromise(
          asking(other.provider, fewer)[way] as Effect.Effect<unknown, ModelFailed>,
        )
        assert.deepStrictEqual(other.functions!(), taken.slice(1).toReversed())
        const calls = taken.map((tool) => ({ name: tool, arguments: {} }))
        const calling = (await answering({ tool_calls: calls })).provider
        const given =
          way === 0 && calling.generate
            ? (await Effect.runPromise(calling.generate(manyNamed))).toolCalls
            : folded(await Effect.runPromise(Stream.runCollect(calling.stream!(manyNamed))))
                .toolCalls
        assert.deepStrictEqual(
          given.map(({ name: tool }) => tool),
          toolNames,
        )
      }
    })

    if (options.reasoning !== false) {
      it("keeps the model's reasoning out of its text", async () => {
        for (const reply of await replies({ text: "North", reasoning: "largest sum" })) {
          assert.equal(reply.text, "North")
          assert.equal(reply.reasoning, "largest sum")
        }
      })
    }

    it("takes every setting of a request, or says that it leaves it out", async () => {
      const whole = { ...request, temperature: 0.5, topK: 20, seed: 7, stop: ["\n\n"] }
      for (const way of [0, 1]) {
        const { asked, provider } = await answering({ text: "North" })
        const { model } = request
        for (const setting of provider.omits?.(model) ?? []) {
          assert.ok(settings.has(setting), `"${setting}" is no setting`)
        }
        const ask = asking(provider, whole)[way]
        if (ask === undefined) continue
        await Effect.runPromise(ask as Effect.Effect<unknown, ModelFailed>)
        assert.equal(asked(), 1, "it asked more than once")
      }
    })

    for (const reason of options.failures ?? []) {
      it(`fails with ${reason} when its service says so, and does not try again`, async () => {
        for (const way of [0, 1]) {
          const { asked, provider } = await answering({ fail: { class: reason } })
          const ask = asking(provider)[way]
          if (ask === undefined) continue
          const failure = await failureOf<unknown, ModelFailed>(ask, "the request")
          assert.equal(failure._tag, "ModelFailed")
          assert.equal(failure.class, reason)
          assert.equal(failure.model, `${provider.id}/small`)
          assert.equal(asked(), 1, "it asked more than once")
        }
      })
    }

    if (options.failures?.includes("rate_limit") === true) {
      it("hands on how long the service wants to be left alone", async () => {
        const { provider } = await answering({ fail: { class: "rate_limit", retry_after: 3000 } })
        const failure = await failureOf<unknown, ModelFailed>(asking(provider)[0]!, "the request")
        assert.equal(failure.retryAfter, 3000)
      })
    }

    it("stops asking when it is interrupted", async () => {
      for (const way of [0, 1]) {
        const { asked, provider } = await answering({ text: "never", delay: 3_600_000 })
        const ask = asking(provider)[way]
        if (ask === undefined) continue
        await expectInterruptible(
          ask,
          until(() => asked() > 0),
          "the request",
        )
      }
    })
  })
}

/** Looks again on every turn of the event loop. */
const until = async (holds: () => boolean): Promise<void> => {
  const deadline = performance.now() + 5000
  while (!holds() && performance.now() < deadline)
    await new Promise((resolve) => setImmediate(resolve))
}
