/** Settings that a model does not take: left out, and said. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stageKind, type ModelRequest, type Provider } from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
})

/** What a model is asked with, and what is told of it. */
const asking = (model: string, omits: Provider["omits"] = undefined) =>
  Effect.gen(function* () {
    let asked: ModelRequest | undefined
    const provider: Provider = {
      id: "anthropic",
      summary: "Remembers what it was asked.",
      ...(omits === undefined ? {} : { omits }),
      generate: (request) => {
        asked = request
        const usage = { input: 1, output: 1 }
        return Effect.succeed({ text: "x", reasoning: "", toolCalls: [], finish: "stop", usage })
      },
    }
    const { pipeline } = yield* workflowOf(
      `
models: { m: { try: [anthropic/${model}], temperature: 0.2, top_k: 4, seed: 7, stop: [END] } }
stages: [{ id: a, uses: ask, model: m }]
outputs: {}
`,
      { providers: [provider], stages: [ask] },
    )
    const { events } = yield* collect(pipeline, {})
    const told = events.flatMap((event) => (event.type === "Progressed" ? [event.message] : []))
    return { asked: asked!, told }
  })

describe("a setting", () => {
  it.effect("that the model does not support is left out, and reported", () =>
    Effect.gen(function* () {
      const { asked, told } = yield* asking("claude-sonnet-5-5")
      assert.notProperty(asked, "temperature")
      assert.notProperty(asked, "topK")
      assert.notProperty(asked, "seed")
      assert.deepStrictEqual(asked.stop, ["END"])
      assert.deepStrictEqual(told, [
        "anthropic/claude-sonnet-5-5 is asked without temperature, top_k, seed, which it does not take",
      ])
    }),
  )

  it.effect("that the provider leaves out is reported", () =>
    Effect.gen(function* () {
      const { told } = yield* asking("claude-haiku-4-5", () => ["top_k", "stop"])
      assert.deepStrictEqual(told, [
        "anthropic/claude-haiku-4-5 is asked without seed, top_k, stop, which it does not take",
      ])
    }),
  )

  it.effect("that the model supports is passed on without a report", () =>
    Effect.gen(function* () {
      const { asked, told } = yield* asking("any")
      assert.deepInclude(asked, { temperature: 0.2, topK: 4, seed: 7, stop: ["END"] })
      assert.deepStrictEqual(told, [])
    }),
  )
})
