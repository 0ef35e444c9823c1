/** The effects that a stage's model gives: nothing is asked before one runs, and each run of one asks anew. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  stageKind,
  type Ask,
  type Failure,
  type ModelClient,
  type ModelPart,
  type ModelReply,
} from "@planloom/plugin/effect"
import { Stream } from "effect"
import { collect } from "../../../../test/collect.ts"
import { workflowOf } from "../../../../test/inline.ts"

const usage = { input: 7, output: 3 }
const reply: Omit<ModelReply, "model"> = {
  text: '"x"',
  reasoning: "",
  toolCalls: [],
  finish: "stop",
  usage,
}
const parts: ReadonlyArray<ModelPart> = [
  { type: "text", text: '"x"' },
  { type: "finish", reason: "stop", usage },
]

type Asking = (model: ModelClient, ask: Ask) => Effect.Effect<unknown, Failure>

const ways: { readonly [way: string]: Asking } = {
  text: (model, ask) => model.text(ask),
  json: (model, ask) => model.json(ask, { name: "answer", schema: { type: "string" } }),
  agent: (model, ask) => model.agent(ask, { turns: 2 }),
}

/** The models that a run has called, by events and by requests. */
const calls = (asking: Asking, ask: Ask, times: number) =>
  Effect.gen(function* () {
    let requests = 0
    const kind = stageKind<object>({
      id: "ask",
      summary: "Makes one effect, and runs it a number of times.",
      input: { type: "object" },
      output: true,
      model: (_, { model }) => {
        const asked = asking(model, ask)
        return Effect.as(Effect.replicateEffect(asked, times), requests)
      },
    })
    const vendor = {
      id: "vendor",
      summary: "Answers.",
      generate: () => {
        requests++
        return Effect.succeed(reply)
      },
      stream: () => {
        requests++
        return Stream.fromIterable(parts)
      },
    }
    const { pipeline } = yield* workflowOf(
      'stages: [{ id: a, uses: ask, model: vendor/any }]\noutputs: { before: { type: integer, value: "${{ stages.a.output }}" } }\n',
      { providers: [vendor], stages: [kind] },
    )
    const { events, result } = yield* collect(pipeline, {})
    assert.deepStrictEqual(result?.outputs, { before: 0 })
    return { requests, events: events.filter(({ type }) => type === "ModelCalled").length }
  })

describe.each(Object.keys(ways))("an effect of the model's client (%s)", (way) => {
  it.effect.each([undefined, "reply", "hidden"] as const)(
    "asks when it runs (parts: %s)",
    (shown) =>
      Effect.scoped(
        Effect.gen(function* () {
          const messages: Ask["messages"] = [{ role: "user", content: "?" }]
          const ask: Ask = shown === undefined ? { messages } : { messages, parts: shown }
          for (const times of [0, 1, 3]) {
            const made = yield* calls(ways[way]!, ask, times)
            assert.deepStrictEqual(made, { requests: times, events: times })
          }
        }),
      ),
  )
})

it.effect.each([{ type: "object" }, undefined, { name: "plan" }, { schema: true }])(
  "a question for JSON without a name and a schema fails with what it takes (%j)",
  (output) =>
    Effect.gen(function* () {
      const kind = stageKind<object>({
        id: "ask",
        summary: "Asks for JSON.",
        input: { type: "object" },
        output: true,
        model: (_, { model }) => model.json({ messages: [] }, output as never),
      })
      const { pipeline } = yield* workflowOf(
        'stages: [{ id: a, uses: ask, model: vendor/any }]\noutputs: { a: { value: "${{ stages.a.output }}" } }\n',
        {
          providers: [{ id: "vendor", summary: "Answers.", generate: () => Effect.succeed(reply) }],
          stages: [kind],
        },
      )
      const { result } = yield* collect(pipeline, {})
      assert.include(result?.failure?.message, "model.json needs a name and a schema")
      assert.strictEqual(result?.failure?.class, "invalid_request")
    }),
)
