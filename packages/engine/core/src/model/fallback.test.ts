/** What becomes of each class of failure where a name has several models and a mechanical way. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  failureClasses,
  ModelFailed,
  stageKind,
  type FailureClass,
  type JsonObject,
  type Provider,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks, or does without.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "? ".repeat(20) }] }),
      ({ text }) => text,
    ),
  mechanical: () => Effect.succeed("by hand"),
})

/** How a run ends whose models fail so: `b` answers unless both do. */
const ending = (failure: FailureClass, both: boolean, detail?: JsonObject) =>
  Effect.gen(function* () {
    const provider: Provider = {
      id: "vendor",
      summary: "Fails as told.",
      generate: ({ model }) => {
        const usage = { input: 1, output: 1 }
        return model === "a" || both
          ? Effect.fail(
              new ModelFailed({
                class: failure,
                model: `vendor/${model}`,
                message: "no",
                ...(detail === undefined ? {} : { detail }),
              }),
            )
          : Effect.succeed({ text: "b", reasoning: "", toolCalls: [], finish: "stop", usage })
      },
    }
    const { pipeline } = yield* workflowOf(
      `
models: { m: { try: [vendor/a, vendor/b], otherwise: mechanical } }
stages: [{ id: said, uses: ask, model: m }]
outputs: {}
`,
      { providers: [provider], stages: [ask] },
    )
    const { events, result } = yield* collect(pipeline)
    const asked = events.flatMap((event) => (event.type === "ModelCalled" ? [event.model] : []))
    return {
      asked: asked.length,
      gave: result.stages["said"]?.output ?? result.failure?.class,
      degraded: result.degraded.length > 0,
    }
  })

/** Four questions of 20 tokens, each with an answer of as many. */
const under = (budget: string, otherwise: "fail" | "mechanical") =>
  Effect.gen(function* () {
    const provider: Provider = {
      id: "openai",
      summary: "Answers.",
      generate: () =>
        Effect.succeed({
          text: "asked",
          reasoning: "",
          toolCalls: [],
          finish: "stop",
          usage: { input: 20, output: 20 },
        }),
    }
    const { pipeline } = yield* workflowOf(
      `
models: { m: { try: [openai/gpt-4o], otherwise: ${otherwise}, max_tokens: 20 } }
policies: { budget: { ${budget} } }
stages:
  - { id: said, uses: ask, model: m, for_each: { in: "[1, 2, 3, 4]", max_parallel: 1 } }
outputs: {}
`,
      { providers: [provider], stages: [ask] },
    )
    const { result } = yield* collect(pipeline)
    return {
      ...result,
      said: (result.stages["said"]?.output ?? []) as ReadonlyArray<string>,
    }
  })

/** The model or its service is at fault: another may do better, and without any it is done by hand. */
const otherModel = [
  "rate_limit",
  "overloaded",
  "timeout",
  "unavailable",
  "auth",
  "content_filter",
  "context_length",
  "too_large",
  "no_model",
] as const satisfies ReadonlyArray<FailureClass>

/** No other model is asked, but what can be done without one is. */
const byHand = ["invalid_output"] as const satisfies ReadonlyArray<FailureClass>

describe("try: [a, b], otherwise: mechanical", () => {
  for (const failure of otherModel) {
    it.effect(`${failure} of the first asks the second, of both goes by hand, and says so`, () =>
      Effect.gen(function* () {
        const once = yield* ending(failure, false)
        assert.deepStrictEqual(once, { asked: 2, gave: "b", degraded: false })
        const twice = yield* ending(failure, true)
        assert.deepStrictEqual(twice, { asked: 2, gave: "by hand", degraded: true })
      }),
    )
  }

  it.effect("the last failure names every model with its class and message", () =>
    Effect.gen(function* () {
      const provider: Provider = {
        id: "vendor",
        summary: "Fails.",
        generate: ({ model }) =>
          Effect.fail(
            new ModelFailed({
              class: model === "a" ? "overloaded" : model === "b" ? "auth" : "timeout",
              model: `vendor/${model}`,
              message: `no ${model}.`,
              ...(model === "c" ? { detail: { requestId: "r" } } : {}),
            }),
          ),
      }
      const { pipeline } = yield* workflowOf(
        `
models: { m: { try: [vendor/a, vendor/b, vendor/c] } }
stages: [{ id: said, uses: ask, model: m }]
outputs: {}
`,
        { providers: [provider], stages: [ask] },
      )
      const { result } = yield* collect(pipeline)
      const { failure } = result
      assert.strictEqual(failure?.class, "timeout")
      assert.strictEqual(
        failure?.message,
        "no c (tried before: vendor/a: overloaded: no a.; vendor/b: auth: no b.)",
      )
      assert.deepStrictEqual(failure?.detail, {
        requestId: "r",
        tried: [
          { model: "vendor/a", class: "overloaded", message: "no a." },
          { model: "vendor/b", class: "auth", message: "no b." },
          { model: "vendor/c", class: "timeout", message: "no c." },
        ],
      })
    }),
  )

  for (const failure of byHand) {
    it.effect(`${failure} goes by hand at once`, () =>
      Effect.gen(function* () {
        const gone = yield* ending(failure, false)
        assert.deepStrictEqual(gone, { asked: 1, gave: "by hand", degraded: true })
      }),
    )
  }

  for (const budget of ["model_calls: 1", "tokens: 30", "cost_usd: 0.00025"]) {
    it.effect(`a spent budget of ${budget} goes by hand from there on, and says why`, () =>
      Effect.gen(function* () {
        const { degraded, said, status } = yield* under(budget, "mechanical")
        assert.strictEqual(status, "succeeded")
        assert.strictEqual(said[0], "asked")
        assert.strictEqual(said.at(-1), "by hand")
        assert.isAbove(degraded.length, 0)
        assert.include(degraded[0]?.reason, `is spent: ${budget.replace(":", "")}`)
      }),
    )

    it.effect(`a spent budget of ${budget} fails where the name has no mechanical way`, () =>
      Effect.gen(function* () {
        const { degraded, failure } = yield* under(budget, "fail")
        assert.strictEqual(failure?.class, "budget")
        assert.deepStrictEqual(degraded, [])
      }),
    )
  }

  it.effect("a prompt that is more than what is left goes by hand, and says both sizes", () =>
    Effect.gen(function* () {
      const { degraded, said } = yield* under("tokens: 5", "mechanical")
      assert.deepStrictEqual(said, ["by hand", "by hand", "by hand", "by hand"])
      assert.include(degraded[0]?.reason, "the prompt alone has 21 tokens; 5 are left")
    }),
  )

  for (const budget of ["tool_calls", "time"]) {
    it.effect(`a spent budget of ${budget} binds both ways, and fails`, () =>
      Effect.gen(function* () {
        const gone = yield* ending("budget", true, { key: budget })
        assert.deepStrictEqual(gone, { asked: 1, gave: "budget", degraded: false })
      }),
    )
  }

  const fatal = (Object.keys(failureClasses) as ReadonlyArray<FailureClass>).filter(
    (one) => !([...otherModel, ...byHand] as ReadonlyArray<FailureClass>).includes(one),
  )
  for (const failure of fatal) {
    it.effect(`${failure} is the request's own fault, and fails`, () =>
      Effect.gen(function* () {
        const gone = yield* ending(failure, false)
        assert.isFalse(gone.degraded)
        assert.strictEqual(gone.asked, 1)
        assert.strictEqual(gone.gave, failure)
      }),
    )
  }
})
