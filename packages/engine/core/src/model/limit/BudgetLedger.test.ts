/** Budgets under many calls at once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import {
  ModelFailed,
  stageKind,
  type ModelPart,
  type Provider,
  type Usage,
} from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { tokenCounter } from "@planloom/prompt/tokens"
import { run } from "../../run/run.ts"
import { MemoryBudgetLedger } from "./MemoryBudgetLedger.ts"

/** Takes a second and 900 to 1000 tokens; says how many were asked at once. */
const slow = (id = "vendor") => {
  const seen = { calls: 0, now: 0, most: 0 }
  const provider: Provider = {
    id,
    summary: "Takes its time.",
    generate: () =>
      Effect.suspend(() => {
        seen.now++
        seen.most = Math.max(seen.most, seen.now)
        const output = 880 + (seen.calls++ % 11) * 10
        return Effect.ensuring(
          Effect.as(Effect.sleep(1000), {
            text: "x",
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage: { input: 20, output },
          }),
          Effect.sync(() => void seen.now--),
        )
      }),
  }
  return { provider, seen }
}

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks.",
  input: { type: "object", properties: { n: { type: "integer" } } },
  output: true,
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
})

const parallel = (policies: string, maxTokens = "max_tokens: 1000") => `
inputs: { list: { type: array, items: { type: integer } } }
models: { m: { try: [vendor/any], ${maxTokens} } }
policies: { budget: ${policies} }
stages:
  - { id: all, uses: ask, model: m, for_each: { in: inputs.list, as: n, max_parallel: 100 }, with: { n: "\${{ n }}" }, on_error: continue }
outputs: {}
`

const hundred = { list: Array.from({ length: 100 }, (_, index) => index) }
const one = 1020

const tokenized: ModelFacts = {
  context: undefined,
  max_output: undefined,
  price: undefined,
  capabilities: [],
  refuses: [],
  structured: undefined,
  tokenizer: "o200k_base",
}

const finished = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    // Loading it is a promise of its own: the clock must not run before it is there.
    yield* tokenCounter(tokenized)
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("200 seconds")
    return yield* Fiber.join(fiber)
  })

describe("a budget of tokens under 100 parallel stages", () => {
  it.effect("is never exceeded by more than one call, and many calls run at once below it", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow()
      const { pipeline } = yield* workflowOf(parallel("{ tokens: 20000 }"), {
        providers: [provider],
        stages: [ask],
      })
      const { result } = yield* finished(collect(pipeline, hundred))
      const { inputTokens, outputTokens } = result.usage
      const total = inputTokens + outputTokens
      assert.isAtLeast(total, 20_000)
      assert.isBelow(total, 20_000 + one)
      assert.isAbove(seen.most, 15)
      assert.strictEqual(seen.now, 0)
      const failed = Object.values(result.stages).filter(({ failure }) => failure !== undefined)
      assert.isTrue(failed.every(({ failure }) => failure?.class === "budget"))
      assert.strictEqual(failed.length, 100 - seen.calls)
    }),
  )

  it.effect("is not exceeded by more than one call where a token of the model is a byte", () =>
    Effect.gen(function* () {
      let most = 0
      const bytes: Provider = {
        id: "vendor",
        summary: "Counts bytes.",
        generate: ({ messages }) =>
          Effect.suspend(() => {
            const input = Buffer.byteLength(JSON.stringify(messages))
            most = Math.max(most, input + 10)
            return Effect.as(Effect.sleep(1000), {
              text: "x",
              reasoning: "",
              toolCalls: [],
              finish: "stop" as const,
              usage: { input, output: 10 },
            })
          }),
      }
      const asking = stageKind<object>({
        id: "ask",
        summary: "Asks.",
        input: { type: "object", properties: { n: { type: "integer" } } },
        output: true,
        model: (_, { model }) =>
          Effect.map(
            model.text({
              messages: [{ role: "user", content: "an ordinary question ".repeat(5) }],
            }),
            ({ text }) => text,
          ),
      })
      const { pipeline } = yield* workflowOf(parallel("{ tokens: 1000 }", "max_tokens: 10"), {
        providers: [bytes],
        stages: [asking],
      })
      const { result } = yield* finished(collect(pipeline, hundred))
      const { inputTokens, outputTokens } = result.usage
      assert.isAtLeast(inputTokens + outputTokens, 1000)
      assert.isBelow(inputTokens + outputTokens, 1000 + most)
    }),
  )

  it.effect("counts the usage of failed calls", () =>
    Effect.gen(function* () {
      let calls = 0
      const refusing: Provider = {
        id: "vendor",
        summary: "Refuses, and charges.",
        generate: () =>
          Effect.suspend(() => {
            calls++
            return new ModelFailed({
              class: "content_filter",
              model: "vendor/any",
              message: "no",
              usage: { input: 1000, output: 0 },
            })
          }),
      }
      const { pipeline } = yield* workflowOf(parallel("{ tokens: 10000 }"), {
        providers: [refusing],
        stages: [ask],
      })
      const { result } = yield* finished(collect(pipeline, hundred))
      assert.strictEqual(result.usage.inputTokens, 1000 * calls)
      assert.isAtLeast(result.usage.inputTokens, 10_000)
      assert.isBelow(result.usage.inputTokens, 10_000 + one)
    }),
  )

  const lost = (of: Partial<Provider>, source = parallel("{ tokens: 10000 }")) =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(source, {
        providers: [{ id: "vendor", summary: "Is lost on the way.", ...of }],
        stages: [ask],
      })
      const { events, result } = yield* finished(collect(pipeline, hundred))
      const called = events.flatMap((event) => (event.type === "ModelCalled" ? [event] : []))
      const failures = Object.values(result.stages).map(({ failure }) => failure?.message ?? "")
      return { called, failures, ...result.usage }
    })
  const timeout = (usage: Usage) =>
    new ModelFailed({ class: "timeout", model: "vendor/any", message: "late", usage })

  it.effect("counts lost calls as the most they can have used, and reports the estimate", () =>
    Effect.gen(function* () {
      const { called, failures, ...usage } = yield* lost({
        generate: () => timeout({ input: 0, output: 0, estimated: true }),
      })
      assert.isTrue(
        failures.some((message) =>
          /is spent: tokens 10000; 100\d\d tokens of what is spent are estimates/.test(message),
        ),
      )
      assert.strictEqual(usage.modelCalls, 10)
      assert.strictEqual(usage.outputTokens, 10_000)
      assert.strictEqual(usage.estimatedCalls, 10)
      assert.isTrue(called.every(({ usage: { estimated, input } }) => estimated && input > 0))
    }),
  )

  it.effect("counts the reported usage and received text of a lost call", () =>
    Effect.gen(function* () {
      const { called } = yield* lost({
        stream: () =>
          Stream.concat(
            Stream.fromIterable<ModelPart>([{ type: "text", text: "word ".repeat(100) }]),
            Stream.fail(timeout({ input: 900, output: 1, estimated: true })),
          ),
      })
      const { usage } = called[0]!
      assert.strictEqual(usage.input, 900)
      assert.isAtLeast(usage.output, 100)
      assert.isBelow(usage.output, 250)
    }),
  )

  it.effect("counts replies without reported usage by their texts", () =>
    Effect.gen(function* () {
      const { called } = yield* lost({
        generate: () =>
          Effect.succeed({
            text: "word ".repeat(100),
            reasoning: "hm",
            toolCalls: [],
            finish: "stop",
            usage: { input: 0, output: 0, estimated: true },
          }),
      })
      assert.isAbove(called.length, 10)
      for (const { usage } of called) {
        assert.isAtLeast(usage.input, 5)
        assert.isAtLeast(usage.output, 101)
        assert.isBelow(usage.output, 250)
        assert.isTrue(usage.estimated)
      }
    }),
  )

  it.effect("counts calls that a time limit interrupts", () =>
    Effect.gen(function* () {
      const { called, ...usage } = yield* lost(
        { generate: () => Effect.never },
        parallel("{ tokens: 4000 }").replace("on_error:", "timeout: 1s, on_error:"),
      )
      assert.strictEqual(called.length, 4)
      assert.isTrue(called.every(({ failure }) => failure?.class === "cancelled"))
      assert.strictEqual(usage.outputTokens, 4000)
    }),
  )

  it.effect("counts nothing for calls whose connection failed", () =>
    Effect.gen(function* () {
      const { called, ...usage } = yield* lost({
        generate: () =>
          new ModelFailed({ class: "unavailable", model: "vendor/any", message: "refused" }),
      })
      assert.strictEqual(called.length, 100)
      assert.deepInclude(usage, { inputTokens: 0, outputTokens: 0 })
    }),
  )

  it.effect("does not count calls that were never sent, however often they are retried", () =>
    Effect.gen(function* () {
      const down: Provider = {
        id: "down",
        summary: "Cannot be reached.",
        generate: () =>
          Effect.fail(
            new ModelFailed({ class: "unavailable", model: "down/any", message: "", unsent: true }),
          ),
      }
      const refusing: Provider = {
        ...down,
        id: "refusing",
        generate: () =>
          Effect.fail(
            new ModelFailed({ class: "unavailable", model: "refusing/any", message: "" }),
          ),
      }
      const models = (name: string) =>
        parallel("{ model_calls: 3 }").replace("vendor/any", `${name}/any`)
      const ends = (name: string) =>
        Effect.gen(function* () {
          const { pipeline } = yield* workflowOf(models(name), {
            providers: [down, refusing],
            stages: [ask],
          })
          const { result } = yield* finished(collect(pipeline, hundred))
          return new Set(
            Object.values(result.stages).flatMap(({ failure }) => failure?.class ?? []),
          )
        })
      assert.deepStrictEqual(yield* ends("down"), new Set(["unavailable"]))
      assert.deepStrictEqual(yield* ends("refusing"), new Set(["unavailable", "budget"]))
    }),
  )

  it.effect("admits one call at a time when the reply length is unknown", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow()
      const { pipeline } = yield* workflowOf(parallel("{ tokens: 5000 }", "otherwise: fail"), {
        providers: [provider],
        stages: [ask],
      })
      const { events, result } = yield* finished(collect(pipeline, hundred))
      const { inputTokens, outputTokens } = result.usage
      assert.isBelow(inputTokens + outputTokens, 5000 + one)
      assert.isAtLeast(inputTokens + outputTokens, 5000)
      assert.strictEqual(seen.most, 1)
      assert.isTrue(
        events.some(
          (event) =>
            event.type === "Progressed" &&
            event.message.includes('may yet spend the budget of workflow "test"'),
        ),
      )
    }),
  )
})

describe("a budget of money", () => {
  it.effect("is charged by the prices of the catalog", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow("openai")
      const { pipeline } = yield* workflowOf(
        parallel("{ cost_usd: 0.05 }").replace("vendor/any", "openai/gpt-4o"),
        { providers: [provider], stages: [ask] },
      )
      const { result } = yield* finished(collect(pipeline, hundred))
      assert.isAtLeast(result.usage.cost, 0.05)
      assert.isBelow(result.usage.cost, 0.05 + 0.0101)
      assert.isBelow(seen.calls, 10)
    }),
  )

  it.effect("does not limit calls without cost, however long their replies", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow("ollama")
      const { pipeline } = yield* workflowOf(
        parallel("{ cost_usd: 0.01 }", "otherwise: fail").replace("vendor/any", "ollama/any"),
        { providers: [provider], stages: [ask] },
      )
      const { result } = yield* finished(collect(pipeline, hundred))
      assert.strictEqual(result.status, "succeeded")
      assert.strictEqual(seen.most, 100)
    }),
  )
})

describe("a prompt that alone takes more than is left", () => {
  const long = stageKind<{ readonly words: number }>({
    id: "long",
    summary: "Asks at length.",
    input: { type: "object", properties: { words: { type: "integer" } } },
    output: true,
    model: ({ words }, { model }) =>
      Effect.map(
        model.text({ messages: [{ role: "user", content: "abc ".repeat(words) }] }),
        ({ text }) => text,
      ),
  })
  const asking = (budget: string, words: ReadonlyArray<number>, model = "vendor/any") =>
    Effect.gen(function* () {
      const { provider, seen } = slow(model.slice(0, model.indexOf("/")))
      const { pipeline } = yield* workflowOf(
        `
models: { m: { try: [${model}], max_tokens: 1000 } }
policies: { budget: ${budget} }
stages: [${words.map((count, index) => `{ id: s${index}, uses: long, model: m, with: { words: ${count} } }`).join(", ")}]
outputs: {}
`,
        { providers: [provider], stages: [long] },
      )
      const { result } = yield* finished(collect(pipeline))
      return { calls: seen.calls, failure: result.failure }
    })

  it.effect("is refused before a model is called, with its size and the remaining budget", () =>
    Effect.gen(function* () {
      const { calls, failure } = yield* asking("{ tokens: 2000 }", [100_000])
      assert.strictEqual(calls, 0)
      assert.strictEqual(failure?.class, "budget")
      assert.strictEqual(
        failure?.message,
        'the prompt alone has about 100000 tokens; 2000 are left of the budget of workflow "test" (tokens 2000)',
      )
      assert.deepStrictEqual(failure?.detail, {
        key: "tokens",
        limit: 2000,
        used: 0,
        prompt: 100_000,
      })
    }),
  )

  it.effect("is compared with what earlier calls have left, without safety margin", () =>
    Effect.gen(function* () {
      // The first call takes 900 tokens, so 1100 are left.
      const fits = yield* asking("{ tokens: 2000 }", [10, 1100])
      assert.deepStrictEqual(fits, { calls: 2, failure: undefined })
      const second = yield* asking("{ tokens: 2000 }", [10, 1101])
      assert.strictEqual(second.calls, 1)
      assert.include(second.failure?.message, "about 1101 tokens; 1100 are left")
    }),
  )

  it.effect("is counted as its model does where that is known", () =>
    Effect.gen(function* () {
      const { calls, failure } = yield* asking("{ tokens: 100 }", [500], "openai/gpt-4o")
      assert.strictEqual(calls, 0)
      assert.match(failure?.message ?? "", /^the prompt alone has \d+ tokens; 100 are left/)
    }),
  )

  it.effect("is refused by its price, too", () =>
    Effect.gen(function* () {
      const { calls, failure } = yield* asking("{ cost_usd: 0.01 }", [20_000], "openai/gpt-4o")
      assert.strictEqual(calls, 0)
      assert.strictEqual(failure?.class, "budget")
      assert.match(
        failure?.message ?? "",
        /^the prompt alone has \d+ tokens and costs \$0\.05\d*; \$0\.01 are left of the budget of workflow "test" \(cost_usd 0\.01\)$/,
      )
    }),
  )

  it.effect("is refused without waiting for calls under way", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow()
      const { pipeline } = yield* workflowOf(
        `
models: { m: { try: [vendor/any], max_tokens: 1000 } }
policies: { budget: { tokens: 1500 } }
stages:
  - { id: first, uses: ask, model: m, needs: [] }
  - { id: long, uses: long, model: m, needs: [], with: { words: 1600 }, on_error: continue }
outputs: {}
`,
        { providers: [provider], stages: [ask, long] },
      )
      const { events, result } = yield* finished(collect(pipeline))
      assert.strictEqual(seen.calls, 1)
      assert.strictEqual(result.stages["long"]?.failure?.class, "budget")
      assert.isFalse(events.some(({ type }) => type === "Progressed"))
    }),
  )
})

describe("a budget that runs share", () => {
  it.effect("is never exceeded by more than one call under 100 runs", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow()
      const { pipeline } = yield* workflowOf(
        `
models: { m: { try: [vendor/any], max_tokens: 1000 } }
stages: [{ id: a, uses: ask, model: m }]
outputs: {}
`,
        { providers: [provider], stages: [ask] },
      )
      const budget = new MemoryBudgetLedger({ tokens: 12_000 }, "the tenant")
      const ends = yield* finished(
        Effect.forEach(hundred.list, () => Effect.exit(run(pipeline, {}, { budget })), {
          concurrency: "unbounded",
        }),
      )
      assert.isAtLeast(budget.spent.tokens, 12_000)
      assert.isBelow(budget.spent.tokens, 12_000 + one)
      assert.strictEqual(ends.filter(({ _tag }) => _tag === "Success").length, seen.calls)
      assert.isAbove(seen.most, 8)
    }),
  )

  it.effect("is returned by interrupted runs, also while they wait", () =>
    Effect.gen(function* () {
      const { provider, seen } = slow()
      const { pipeline } = yield* workflowOf(parallel("{ tokens: 900000 }"), {
        providers: [provider],
        stages: [ask],
      })
      const budget = new MemoryBudgetLedger({ tokens: 3000 }, "the tenant")
      const fiber = yield* Effect.forkChild(run(pipeline, hundred, { budget }))
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(seen.now, 3)
      yield* Fiber.interrupt(fiber)
      assert.deepInclude(seen, { now: 0, calls: 3 })
      // Nobody knows what the three have used: each counts as the most it can take.
      assert.isAtLeast(budget.spent.tokens, 3000)
      assert.isBelow(budget.spent.tokens, 3 * one)
      budget.spent.tokens = 0
      const again = yield* finished(Effect.exit(run(pipeline, { list: [1, 2] }, { budget })))
      assert.strictEqual(again._tag, "Success")
    }),
  )
})

describe("a host's budget", () => {
  it("is rejected when a limit is misspelt or not a number", () => {
    const made = (limit: object) => () => new MemoryBudgetLedger(limit, "tenant 7")
    assert.throws(made({ model_cals: 2 }), TypeError, 'a budget has no "model_cals"; did you mean')
    assert.throws(made({ tokens: "6k" }), TypeError, "the budget's tokens is a number, not 6k")
    assert.throws(made({ cost_usd: Number.NaN }), TypeError, "is a number, not NaN")
    assert.strictEqual(made({ tokens: 0, cost_usd: undefined })().limit.tokens, 0)
  })
})
