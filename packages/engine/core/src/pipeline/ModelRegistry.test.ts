import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { stageKind, type Provider, type RunEvent } from "@planloom/plugin/effect"
import { workflowOf } from "../../test/inline.ts"
import { run } from "../run/run.ts"
import { ModelRegistry } from "./ModelRegistry.ts"
import { SwapRefused } from "./Swap.ts"

const reason = { by: "ada", why: "the other one is slow today" }

/** Answers with its own id and the model's. */
const named = (id: string): Provider => ({
  id,
  summary: "Says who it is.",
  generate: ({ model }) =>
    Effect.succeed({
      text: `${id}/${model}`,
      reasoning: "",
      toolCalls: [],
      finish: "stop" as const,
      usage: { input: 1, output: 1 },
    }),
})

const ask = stageKind<object>({
  id: "ask",
  summary: "Gives the reply.",
  input: { type: "object" },
  output: { type: "string" },
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
  mechanical: () => Effect.succeed("nobody"),
})

const components = { providers: [named("near"), named("far")], stages: [ask] }

const body = `
models:
  planner: { try: [near/small], otherwise: mechanical, temperature: 0.5 }
stages:
  - { id: first, uses: ask, model: planner }
  - { id: second, uses: ask, model: planner }
  - { id: third, uses: ask, model: far/large }
  - { id: fourth, uses: ask }
outputs:
  all: { type: array, value: ["\${{ stages.first.output }}", "\${{ stages.second.output }}", "\${{ stages.third.output }}", "\${{ stages.fourth.output }}"] }
`

/** A model that does not reason. */
const unreasoning = new Map([
  [
    "far/plain",
    {
      context: undefined,
      max_output: undefined,
      price: undefined,
      capabilities: ["tools"],
      refuses: [],
      structured: undefined,
      tokenizer: undefined,
    } as const,
  ],
])

describe("a model registry", () => {
  it.effect("shows every alias and what every stage asks", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, components)
      assert.deepStrictEqual(pipeline.models.aliases, [
        { alias: "planner", models: ["near/small"], otherwise: "mechanical", swapped: false },
      ])
      assert.deepStrictEqual(
        pipeline.models.stages.map(({ alias, models, stage }) => [stage, alias, models.join()]),
        [
          ["first", "planner", "near/small"],
          ["second", "planner", "near/small"],
          ["third", undefined, "far/large"],
          ["fourth", undefined, ""],
        ],
      )
    }),
  )

  it.effect("swaps an alias, a stage, and a stage that had no model, for the next run", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, components)
      const all = () => Effect.map(run(pipeline, {}), ({ outputs }) => outputs["all"])
      assert.deepStrictEqual(yield* all(), ["near/small", "near/small", "far/large", "nobody"])
      pipeline.models.swap("planner", "far/tiny", reason)
      pipeline.models.swap("second", ["near/huge"], reason)
      pipeline.models.swap({ stage: "fourth" }, ["near/new"], reason)
      assert.deepStrictEqual(yield* all(), ["far/tiny", "near/huge", "far/large", "near/new"])
      assert.deepStrictEqual(
        pipeline.models.stages.map(({ swapped }) => swapped),
        [false, true, false, true],
      )
    }),
  )

  describe("with an alias that names another one", () => {
    const naming = (try_: string, more = "") =>
      workflowOf(
        body
          .replace("models:", `models:\n  reflector: { try: ${try_}, temperature: 0.1${more} }`)
          .replace(
            "ask, model: planner }\n  - { id: third",
            "ask, model: reflector }\n  - { id: third",
          ),
        components,
      )
    const asked = ({ pipeline }: Effect.Success<ReturnType<typeof workflowOf>>) =>
      Effect.map(run(pipeline, {}), ({ outputs }) => (outputs["all"] as Array<string>).slice(0, 2))

    it.effect("swaps both with the other one, until it is swapped itself, and undoes so", () =>
      Effect.gen(function* () {
        const loaded = yield* naming("[planner]")
        const { models } = loaded.pipeline
        assert.deepStrictEqual(yield* asked(loaded), ["near/small", "near/small"])
        models.swap("planner", "far/tiny", reason)
        assert.deepStrictEqual(yield* asked(loaded), ["far/tiny", "far/tiny"])
        assert.deepStrictEqual(models.aliases[0], {
          alias: "reflector",
          names: ["planner"],
          models: ["far/tiny"],
          otherwise: "fail",
          swapped: false,
        })
        models.swap("reflector", "near/own", reason)
        models.swap("planner", "far/next", reason)
        assert.deepStrictEqual(yield* asked(loaded), ["far/next", "near/own"])
        assert.isUndefined(models.aliases[0]!.names)
        models.undo(reason)
        models.undo(reason)
        assert.deepStrictEqual(yield* asked(loaded), ["far/tiny", "far/tiny"])
        models.follow({ revision: 1, aliases: { planner: ["near/kept"] }, stages: {} })
        models.undo(reason)
        assert.deepStrictEqual(yield* asked(loaded), ["near/kept", "near/kept"])
      }),
    )

    it.effect("keeps its own settings and its other models", () =>
      Effect.gen(function* () {
        const loaded = yield* naming("[planner, far/spare, near/small]")
        const { models } = loaded.pipeline
        const reflector = () => models.named("reflector")
        const names = () => reflector().choices.map(({ name }) => name)
        assert.deepStrictEqual(names(), ["near/small", "far/spare"])
        models.swap("planner", ["far/tiny", "far/spare"], reason)
        assert.deepStrictEqual(names(), ["far/tiny", "far/spare", "near/small"])
        assert.deepStrictEqual([reflector().temperature, reflector().otherwise], [0.1, "fail"])
      }),
    )

    it.effect("refuses a model for the other one that does not support its own reasoning", () =>
      Effect.gen(function* () {
        const { pipeline } = yield* naming("[planner]", ", reasoning: high")
        const providers = new Map([["far", named("far")]])
        const registry = new ModelRegistry(pipeline.definition, providers, unreasoning)
        const swapPlanner = () => registry.swap("planner", "far/plain", reason)
        assert.throws(
          swapPlanner,
          '"far/plain" does not support reasoning: high of "reflector", which names "planner"; it supports: none',
        )
        registry.swap("reflector", "far/own", reason)
        assert.deepStrictEqual(swapPlanner().after, ["far/plain"])
      }),
    )
  })

  it.effect("keeps a history and undoes swaps in reverse", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, components)
      const { models } = pipeline
      models.swap("planner", "far/one", reason)
      models.swap("first", "far/two", reason)
      models.swap("planner", "far/three", reason)
      const seen = () => models.stages.slice(0, 2).map((stage) => stage.models.join())
      assert.deepStrictEqual(seen(), ["far/two", "far/three"])
      models.undo({ by: "eve", why: "better before" })
      assert.deepStrictEqual(seen(), ["far/two", "far/one"])
      models.undo({ by: "eve", why: "better before" })
      assert.deepStrictEqual(seen(), ["far/one", "far/one"])
      models.undo({ by: "eve", why: "better before" })
      assert.deepStrictEqual(seen(), ["near/small", "near/small"])
      assert.isUndefined(models.undo({ by: "eve", why: "better before" }))
      assert.deepStrictEqual(
        models.history.map(({ after, alias, before, stage, undoes }) => [
          alias ?? stage,
          before.join(),
          after.join(),
          undoes,
        ]),
        [
          ["planner", "near/small", "far/one", undefined],
          ["first", "far/one", "far/two", undefined],
          ["planner", "far/one", "far/three", undefined],
          ["planner", "far/three", "far/one", 2],
          ["first", "far/two", "far/one", 1],
          ["planner", "far/one", "near/small", 0],
        ],
      )
      assert.isFalse(models.aliases[0]!.swapped)
    }),
  )

  it.effect("swaps during a run without changing the call under way", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const slow: Provider = {
        ...named("near"),
        generate: (request) =>
          Effect.andThen(
            Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(go)),
            named("near").generate!(request),
          ),
      }
      const { pipeline } = yield* workflowOf(body, {
        ...components,
        providers: [slow, named("far")],
      })
      const events: Array<RunEvent> = []
      const fiber = yield* Effect.forkChild(
        run(pipeline, {}, { onEvent: (event) => events.push(event) }),
      )
      yield* Deferred.await(begun)
      pipeline.models.swap("planner", "far/next", reason)
      yield* Deferred.succeed(go, undefined)
      const { outputs } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(outputs["all"], ["near/small", "far/next", "far/large", "nobody"])
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "ModelCalled" ? [event.model] : [])),
        ["near/small", "far/next", "far/large"],
      )
    }),
  )

  it.effect("refuses an invalid swap and changes nothing", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, components)
      const { models } = pipeline
      const refused = (attempt: () => unknown) => {
        try {
          attempt()
        } catch (error) {
          assert.instanceOf(error, SwapRefused)
          return (error as SwapRefused).message
        }
        return "nothing was refused"
      }
      assert.include(
        refused(() => models.swap("planner", "gone/x", reason)),
        'there is no provider for "gone/x"; there are: near, far',
      )
      assert.include(
        refused(() => models.swap("plannr", "far/x", reason)),
        "there are: planner, first",
      )
      assert.include(
        refused(() => models.swap({ alias: "planner" }, "planner", reason)),
        "write provider/model",
      )
      assert.include(
        refused(() => models.swap({ alias: "planner" }, [], reason)),
        "at least one",
      )
      assert.deepStrictEqual(models.history, [])
    }),
  )

  it("refuses a model that does not support the level of reasoning of its alias", async () => {
    const { pipeline } = await Effect.runPromise(
      Effect.scoped(
        workflowOf(
          body.replace("models:", "models:\n  deep: { try: [far/large], reasoning: high }"),
          components,
        ),
      ),
    )
    const providers = new Map([["far", named("far")]])
    const registry = new ModelRegistry(pipeline.definition, providers, unreasoning)
    assert.throws(
      () => registry.swap("deep", "far/plain", reason),
      '"far/plain" does not support reasoning: high; it supports: none',
    )
    assert.strictEqual(registry.swap("deep", "far/other", reason).alias, "deep")
  })

  it.effect("reads what a host keeps before each stage, and nothing where no swap can fit", () =>
    Effect.gen(function* () {
      let reads = 0
      const models = { current: () => Effect.sync(() => void reads++) }
      const { pipeline } = yield* workflowOf(body, components)
      yield* run(pipeline, {}, { models })
      assert.strictEqual(reads, pipeline.models.stages.length)
      const alone = yield* workflowOf(
        'stages: [{ id: one, uses: ask }]\noutputs: { all: { type: string, value: "${{ stages.one.output }}" } }',
        { stages: [ask] },
      )
      const { outputs } = yield* run(alone.pipeline, {}, { models })
      assert.deepStrictEqual([outputs, reads], [{ all: "nobody" }, pipeline.models.stages.length])
    }),
  )

  it("asks which is meant when a stage and an alias have one name", async () => {
    const { pipeline } = await Effect.runPromise(Effect.scoped(workflowOf(body, components)))
    const registry = new ModelRegistry(pipeline.definition, new Map([["far", named("far")]]))
    registry.bind("planner", undefined)
    assert.throws(() => registry.swap("planner", "far/x", reason), "is a stage and an alias")
    assert.strictEqual(registry.swap({ stage: "planner" }, "far/x", reason).stage, "planner")
  })
})
