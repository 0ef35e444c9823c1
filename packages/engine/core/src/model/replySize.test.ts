/** Replies that are larger than they may be, from a provider that limits nothing itself. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Stream } from "effect"
import {
  MAX_REPLY_BYTES,
  stageKind,
  type ModelPart,
  type ModelReply,
  type Provider,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks, and says how long the answer is.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }] }),
      ({ text }) => text.length,
    ),
})

const reply = (text: string, more: Partial<ModelReply> = {}): Omit<ModelReply, "model"> => ({
  text,
  reasoning: "",
  toolCalls: [],
  finish: "stop",
  usage: { input: 1, output: 1 },
  ...more,
})

const asked = (providers: ReadonlyArray<Provider>, models: string) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      `
models: { m: { try: [${models}] } }
stages: [{ id: said, uses: ask, model: m }]
outputs: {}
`,
      { providers, stages: [ask] },
    )
    return yield* collect(pipeline)
  })

const giving = (id: string, given: Omit<ModelReply, "model">, more: Partial<Provider> = {}) => ({
  id,
  summary: "Answers as given.",
  generate: () => Effect.succeed(given),
  ...more,
})

const small = giving("small", reply("ok"))
const giant = "a".repeat(MAX_REPLY_BYTES + 1)

describe("a reply that is too large", () => {
  it.effect("fails with too_large, whether it is text, reasoning or arguments of a tool", () =>
    Effect.gen(function* () {
      const calls = [{ id: "1", name: "t", arguments: { deep: [{ text: giant }] } }]
      for (const given of [
        reply(giant),
        reply("", { reasoning: giant }),
        reply("", { toolCalls: calls }),
        reply("ü".repeat(MAX_REPLY_BYTES / 2 + 1)),
        reply("€".repeat(Math.ceil(MAX_REPLY_BYTES / 3))),
      ]) {
        const { events, result } = yield* asked([giving("big", given)], "big/m")
        assert.strictEqual(result.failure?.class, "too_large")
        assert.match(result.failure!.message, /larger than 8388608 bytes/)
        assert.deepInclude(result.failure, { usage: given.usage })
        // Nothing of it is recorded.
        assert.isBelow(JSON.stringify(events).length, 10_000)
      }
    }),
  )

  it.effect("makes the next model be called", () =>
    Effect.gen(function* () {
      const { result } = yield* asked([giving("big", reply(giant)), small], "big/m, small/m")
      assert.strictEqual(result.stages["said"]?.output, 2)
    }),
  )

  it.effect("ends an endless stream", () =>
    Effect.gen(function* () {
      let parts = 0
      const part: ModelPart = { type: "text", text: "a".repeat(1000) }
      const endless: Provider = {
        id: "endless",
        summary: "Never ends.",
        maxReplyBytes: 100_000,
        stream: () =>
          Stream.repeat(
            Stream.sync(() => {
              parts++
              return part
            }),
            Schedule.forever,
          ),
      }
      const { result } = yield* asked([endless], "endless/m")
      assert.strictEqual(result.failure?.class, "too_large")
      assert.isAtMost(parts, 150)
    }),
  )

  it.effect("is accepted within a provider's higher limit", () =>
    Effect.gen(function* () {
      const large = giving("big", reply(giant), { maxReplyBytes: 2 * MAX_REPLY_BYTES })
      const { result } = yield* asked([large], "big/m")
      assert.strictEqual(result.stages["said"]?.output, giant.length)
    }),
  )
})
