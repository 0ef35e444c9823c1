/** Names in the events of replies: the alias that was asked, the reviewer, and the length of reasoning. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  sectionKind,
  stageKind,
  subagent,
  type Gate,
  type Provider,
  type RunEvent,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const summary = "A part of a test."
const schema = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
} as const

const provider: Provider = {
  id: "vendor",
  summary,
  generate: () =>
    Effect.succeed({
      text: '<reasoning>It is  one,\nsurely.</reasoning>{"n": 1}',
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
    }),
}

const count = stageKind<object>({
  id: "count",
  summary,
  input: { type: "object" },
  output: schema,
  model: (_, { model, review }) =>
    Effect.gen(function* () {
      const reply = yield* model.json(
        { messages: [{ role: "user", content: "?" }] },
        { name: "count", schema },
      )
      yield* review(["careful"], { text: "one" })
      return reply
    }),
})

const careful = subagent({
  id: "careful",
  summary,
  class: "quality",
  can: ["pass"],
  at: "whole",
  scope: "last",
  timeout: "2s",
  review: (_, { model }) =>
    Effect.as(
      model.json({ messages: [{ role: "user", content: "?" }] }, { name: "verdict", schema }),
      { verdict: "pass", confidence: 1, reason: "fine" },
    ),
})

const gate: Gate = {
  open: () => (given) => Stream.map(given, (text) => ({ type: "release", text }) as const),
}

const gated = sectionKind<boolean>({
  on: "stage",
  key: "gated",
  summary,
  schema: { type: "boolean" },
  bind: () => ({ gate }),
})

const events = (stage: string) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      `models: { counter: { try: [vendor/any] } }
stages: [{ id: a, uses: count, ${stage} }]
outputs: {}
`,
      { providers: [provider], stages: [count], subagents: [careful], sections: [gated] },
    )
    return (yield* collect(pipeline)).events
  })

const of = <T extends RunEvent["type"]>(all: ReadonlyArray<RunEvent>, type: T) =>
  all.filter((event): event is Extract<RunEvent, { readonly type: T }> => event.type === type)

describe("events of replies", () => {
  it.effect("name the alias that was asked, unless a model is written out", () =>
    Effect.gen(function* () {
      const aliases = (all: ReadonlyArray<RunEvent>) =>
        of(all, "ModelCalled").map(({ alias, reviewer }) => [alias, reviewer])
      assert.deepStrictEqual(aliases(yield* events("model: counter")), [
        ["counter", undefined],
        ["counter", "careful"],
      ])
      assert.deepStrictEqual(aliases(yield* events("model: vendor/any")), [
        [undefined, undefined],
        [undefined, "careful"],
      ])
    }),
  )

  it.effect("count a reply with reasoning in tags as direct, and name its reviewer", () =>
    Effect.gen(function* () {
      const read = of(yield* events("model: counter"), "ReplyRead")
      assert.deepStrictEqual(
        read.map(({ reviewer, rung }) => [rung, reviewer]),
        [
          ["direct", undefined],
          ["direct", "careful"],
        ],
      )
    }),
  )

  it.effect("have the reasoning with its length, and behind a gate its length alone", () =>
    Effect.gen(function* () {
      const reasoned = (all: ReadonlyArray<RunEvent>) =>
        of(all, "Reasoned").map(({ text, words }) => [words, text])
      const open = yield* events("model: counter")
      assert.deepStrictEqual(reasoned(open), [[4, "It is  one,\nsurely."]])
      const hidden = yield* events("model: counter, gated: true")
      assert.deepStrictEqual(reasoned(hidden), [[4, undefined]])
      assert.notInclude(JSON.stringify(hidden), "surely")
    }),
  )
})
