/** What becomes of each class of failure where a name has several models and a mechanical way. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  failureClasses,
  ModelFailed,
  stageKind,
  type FailureClass,
  type Provider,
} from "@planloom/plugin"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks, or does without.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
  mechanical: () => Effect.succeed("by hand"),
})

/** How a run ends whose models fail so: `b` answers unless both do. */
const ending = (failure: FailureClass, both: boolean) =>
  Effect.gen(function* () {
    const provider: Provider = {
      id: "vendor",
      summary: "Fails as told.",
      generate: ({ model }) => {
        const usage = { input: 1, output: 1 }
        return model === "a" || both
          ? Effect.fail(
              new ModelFailed({ class: failure, model: `vendor/${model}`, message: "no" }),
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

/** The model or its service is at fault: another may do better, and without any it is done by hand. */
const otherModel = [
  "rate_limit",
  "overloaded",
  "timeout",
  "unavailable",
  "auth",
  "content_filter",
  "context_length",
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

  for (const failure of byHand) {
    it.effect(`${failure} goes by hand at once`, () =>
      Effect.gen(function* () {
        const gone = yield* ending(failure, false)
        assert.deepStrictEqual(gone, { asked: 1, gave: "by hand", degraded: true })
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
