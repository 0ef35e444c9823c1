/** Requests that continue a paused reply, in budgets, results and records. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ModelFailed, stageKind, type Provider } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../../run/journal/journals.ts"
import { MemoryBudgetLedger } from "./MemoryBudgetLedger.ts"

/** Its service pauses each reply `pauses` times; each request takes 10 tokens. */
const pausing = (pauses: number, fails = false) => {
  const seen = { requests: 0 }
  const provider: Provider = {
    id: "vendor",
    summary: "Pauses.",
    continues: () => ({ most: 4, adds: "reply" }),
    generate: Effect.fnUntraced(function* (_, mayContinue) {
      let requests = 1
      const used = () => ({ input: 7 * requests, output: 3 * requests })
      while (requests <= pauses && (yield* mayContinue!(used()))) requests++
      seen.requests += requests
      if (fails) {
        return yield* new ModelFailed({
          class: "unavailable",
          model: "vendor/any",
          message: "lost",
          usage: used(),
        })
      }
      return {
        text: "x ".repeat(requests),
        reasoning: "",
        toolCalls: [],
        finish: requests <= pauses ? "paused" : "stop",
        usage: used(),
      }
    }),
  }
  return { seen, components: { providers: [provider], stages: [ask] } }
}

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
})

const body = (policies = "") => `
models: { m: { try: [vendor/any], max_tokens: 3 } }
${policies}
stages: [{ id: a, uses: ask, model: m, with: {} }]
outputs: { said: "\${{ stages.a.output }}" }
`

describe("requests that continue a paused reply", () => {
  it.effect("are counted as calls, with the usage of each", () =>
    Effect.gen(function* () {
      const { components, seen } = pausing(2)
      const { pipeline } = yield* workflowOf(body(), components)
      const { events, result } = yield* collect(pipeline, {})
      assert.strictEqual(seen.requests, 3)
      assert.deepInclude(result.usage, { modelCalls: 3, inputTokens: 21, outputTokens: 9 })
      const each = { input: 7, output: 3 }
      const called = events.find(({ type }) => type === "ModelCalled")
      assert.deepInclude(called, { usage: { input: 21, output: 9, earlier: [each, each] } })
    }),
  )

  it.effect("are no more than the provider declares", () =>
    Effect.gen(function* () {
      const { components, seen } = pausing(20)
      const { pipeline } = yield* workflowOf(body(), components)
      const { result } = yield* collect(pipeline, {})
      assert.strictEqual(seen.requests, 5)
      assert.strictEqual(result.usage.modelCalls, 5)
      assert.deepInclude(result.degraded[0], { path: "a", cut: true })
    }),
  )

  it.effect.each([
    ["model_calls: 3", 3, "model_calls 3"],
    ["tokens: 25", 2, "tokens 25"],
  ] as const)("stop at a budget of %s", ([limit, requests, reason]) =>
    Effect.gen(function* () {
      const { components, seen } = pausing(4)
      const { pipeline } = yield* workflowOf(body(`policies: { budget: { ${limit} } }`), components)
      const { events, result } = yield* collect(pipeline, {})
      assert.strictEqual(seen.requests, requests)
      assert.strictEqual(result.usage.modelCalls, requests)
      assert.strictEqual(result.status, "succeeded")
      assert.isTrue(result.degraded.some(({ cut }) => cut === true))
      const messages = events.map((event) => ("message" in event ? event.message : ""))
      assert.isTrue(
        messages.some((message) => message.includes(`not continued`) && message.includes(reason)),
      )
    }),
  )

  it.effect.each([
    [{ model_calls: 2 }, 2],
    [{ tokens: 25 }, 2],
  ] as const)("stop at the budget %j of a host", ([limit, requests]) =>
    Effect.gen(function* () {
      const { components, seen } = pausing(4)
      const budget = new MemoryBudgetLedger(limit, "tenant 7")
      const { pipeline } = yield* workflowOf(body(), components)
      yield* collect(pipeline, {}, { budget })
      assert.strictEqual(seen.requests, requests)
      assert.deepInclude(budget.spent, { modelCalls: requests, tokens: 10 * requests })
    }),
  )

  it.effect.each([false, true])(
    "count again where a record answers the call, failed: %s",
    (fails) =>
      Effect.gen(function* () {
        const { components, seen } = pausing(2, fails)
        const { pipeline } = yield* workflowOf(body(), components)
        const recording = emptyRecording()
        const journal = recordingJournal(recording)
        for (const _ of [1, 2]) {
          const budget = new MemoryBudgetLedger({ model_calls: 10 }, "tenant 7")
          const { result } = yield* collect(pipeline, {}, { budget, journal, run: "1" })
          assert.strictEqual(result.usage.modelCalls, 3)
          assert.deepInclude(budget.spent, { modelCalls: 3, tokens: 30 })
          // As after a crash before the end of the stage was recorded.
          for (const name of ["a/model:1", "a"]) recording.steps.delete(name)
        }
        assert.strictEqual(seen.requests, 3)
      }),
  )
})
