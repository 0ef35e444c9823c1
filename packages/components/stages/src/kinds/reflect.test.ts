import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import { makeContext, runKind } from "../../../stage-kit/test/context.ts"
import { builtInRules } from "../reflect/Reflection.ts"
import { reflect } from "./reflect.ts"

const tool = (
  name: string,
  properties: JsonObject,
  required: ReadonlyArray<string> = [],
): Tool => ({
  name,
  summary: "Finds.",
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params: { type: "object", additionalProperties: false, required, properties } as never,
})

const tools = [
  tool("activity", { router: { type: "string" } }),
  tool("pairs", { token: { type: "string" }, limit: { type: "integer", default: 10 } }),
  tool("safety", { address: { type: "string" } }),
  tool("strict", { address: { type: "string" } }, ["address"]),
]

const priceWish = { price: { words: { en: ["price"] }, tools: ["strict"] } }

const plan = {
  steps: [
    { id: "first", tool: "activity", params: { router: "sushi" } },
    { id: "second", tool: "pairs", params: { token: "PEPE" } },
  ],
}

const call = (step: string, name: string, more: JsonObject = {}): Json => ({
  step,
  tool: name,
  params: {},
  ok: true,
  summary: `${name} answered`,
  ...more,
})

const whole = {
  steps: { first: [{ token: "PEPE" }], second: [{ price: 1 }] },
  calls: [call("first", "activity"), call("second", "pairs")],
}
const empty = { ...whole, steps: { first: [{ token: "PEPE" }], second: [] } }
const failed = {
  steps: { first: [{ token: "PEPE" }] },
  calls: [
    call("first", "activity"),
    call("second", "pairs", { ok: false, error: "the service is down", class: "unavailable" }),
  ],
}

const reflectOn = (results: Json, more: JsonObject = {}, replies: ReadonlyArray<Json> = []) => {
  const recorded = makeContext({ tools, replies })
  const input = { request: "Is PEPE safe?", plan, results, ...more }
  return Effect.map(runKind(reflect, "model", input, recorded), (output) => ({
    output,
    asks: recorded.asks,
    notes: recorded.notes,
  }))
}

describe("reflect", () => {
  it.effect("is done without a model where nothing is missing", () =>
    Effect.gen(function* () {
      const { asks, output } = yield* reflectOn(whole)
      assert.deepStrictEqual(
        [output["done"], output["missing"], output["difference"], asks.length],
        [true, [], [], 0],
      )
      assert.strictEqual(output["seen"], "- activity: activity answered\n- pairs: pairs answered")
    }),
  )

  it.effect.each([{}, { error: "no" }, { summary: "no answer" }])(
    "reads a failed call that has no more than its step, its tool, and %j",
    (more) =>
      Effect.gen(function* () {
        const calls = [{ step: "second", tool: "strict", ok: false, ...more }]
        const results = { steps: { first: [{ token: "PEPE" }] }, calls }
        const { asks, notes, output } = yield* reflectOn(
          results,
          { rules: [...builtInRules], wishes: priceWish },
          [{ strategy: "none" }],
        )
        assert.deepStrictEqual(
          (output["missing"] as ReadonlyArray<JsonObject>).map(({ rule }) => rule),
          ["failed_calls"],
        )
        assert.strictEqual(asks.length, 1)
        assert.deepStrictEqual(notes.filter(({ note }) => note === "reflection").length, 1)
        assert.deepStrictEqual(
          notes.flatMap(({ data, note }) => (note === "reflection_prompt" ? [data] : [])),
          [
            {
              round: 0,
              prompt: asks[0]!.messages[0]!.content as string,
            },
          ],
        )
        const { error, summary = "no reason" } = more as { error?: string; summary?: string }
        assert.strictEqual(output["seen"], `- strict failed: ${error ?? summary}`)
      }),
  )

  it.each([
    { params: "PEPE" },
    { ok: "no" },
    { summary: 1 },
    { error: ["no"] },
    { entities: {} },
    { entities: ["PEPE"] },
  ])("accepts no call with %j", (wrong) => {
    const issues = validatorOf(reflect.input)({
      request: "Is PEPE safe?",
      plan,
      results: { steps: {}, calls: [call("first", "activity", wrong as JsonObject)] },
    })
    assert.notStrictEqual(issues.length, 0)
  })

  it.effect("asks a model what else to call, and says so to the user", () =>
    Effect.gen(function* () {
      const reply = {
        reasoning: "The pair is unknown.",
        strategy: "extend",
        user_message: "I am checking whether it can be sold.",
        modifications: [
          { op: "add", step: "third", tool: "safety", params: { address: "0x1" }, rationale: "r" },
        ],
      }
      const { asks, notes, output } = yield* reflectOn(failed, {}, [reply])
      assert.strictEqual(asks.length, 1)
      assert.include(JSON.stringify(asks[0]!.messages), "pairs failed: the service is down")
      assert.deepStrictEqual(output["missing"], [
        { rule: "failed_calls", reason: "pairs failed: the service is down", step: "second" },
      ])
      assert.deepStrictEqual(
        (output["plan"] as { steps: ReadonlyArray<JsonObject> }).steps.map(({ id }) => id!),
        ["first", "second", "third"],
      )
      assert.deepStrictEqual([output["done"], output["strategy"]], [false, "extend"])
      assert.strictEqual(output["message"], "I am checking whether it can be sold.")
      assert.deepStrictEqual(
        notes.map(({ note }) => note).filter((note) => note !== "summary"),
        ["reflection_prompt", "thinking", "reflection"],
      )
    }),
  )

  it.effect("replaces a sentence that names a tool by the workflow's own", () =>
    Effect.gen(function* () {
      const reply = {
        strategy: "extend",
        user_message: "I call safety next.",
        modifications: [
          { op: "add", step: "third", tool: "safety", params: { address: "0x1" }, rationale: "r" },
        ],
      }
      const { output } = yield* reflectOn(failed, { request: "PEPE?", language: "es" }, [reply])
      assert.strictEqual(output["message"], "Voy a mirar más a fondo lo que encontré.")
    }),
  )

  it.effect("refuses a step that cannot be executed", () =>
    Effect.gen(function* () {
      const reply = {
        strategy: "extend",
        modifications: [{ op: "add", step: "third", tool: "nothing", params: {}, rationale: "r" }],
      }
      const failure = yield* Effect.flip(reflectOn(failed, {}, [reply]))
      assert.strictEqual((failure as { readonly class: string }).class, "invalid_output")
    }),
  )

  it.effect("asks nothing after the last round, or after a round without a new call", () =>
    Effect.gen(function* () {
      const last = yield* reflectOn(failed, { round: 1 })
      const repeated = {
        ...failed,
        calls: failed.calls.map((one) => ({ ...(one as JsonObject), from: "made" })),
      }
      const again = yield* reflectOn(repeated, { round: 1, rounds: 5 })
      for (const { asks, output } of [last, again]) {
        assert.deepStrictEqual(
          [asks.length, output["done"], output["strategy"], output["difference"]],
          [0, false, "none", []],
        )
      }
    }),
  )

  it.effect("adds the steps of rules without a model", () =>
    Effect.gen(function* () {
      const recorded = makeContext({ tools })
      const context = { ...recorded.context, holds: () => Effect.succeed(true) }
      const rules = [
        {
          id: "follow_up",
          when: "true",
          reason: "tokens without a pair",
          // oxlint-disable-next-line unicorn/no-thenable -- the key of the contract
          then: [
            {
              id: "pairs_of_tokens",
              tool: "pairs",
              params: { token: { $from: "t", path: "token" } },
              each: { over: { $from: "activity" }, as: "t", limit: 3 },
            },
          ],
        },
      ]
      const output = yield* runKind(
        reflect,
        "model",
        { request: "What moves?", plan, results: whole, rules },
        { ...recorded, context },
      )
      assert.strictEqual(recorded.asks.length, 0)
      assert.deepStrictEqual((output["plan"] as { steps: ReadonlyArray<Json> }).steps[2], {
        id: "pairs_of_tokens",
        tool: "pairs",
        inputs: {},
        satisfies: [],
        rationale: "follow_up: tokens without a pair",
        params: { token: { $from: "t", path: "token" } },
        each: { over: { $from: "first" }, as: "t", limit: 3 },
      })
    }),
  )

  it.effect("adds the steps of rules whatever a model says of what else is missing", () =>
    Effect.gen(function* () {
      const follow = { id: "third", tool: "safety", params: { address: "0x1" } }
      // oxlint-disable-next-line unicorn/no-thenable -- the key of the contract
      const rule = { id: "unsafe", when: "true", reason: "unknown", then: [follow] }
      const rules = ["failed_calls", rule]
      const reflected = (reply: Json) => {
        const recorded = makeContext({ tools, replies: [reply] })
        const context = { ...recorded.context, holds: () => Effect.succeed(true) }
        const input = { request: "Is PEPE safe?", plan, results: failed, rules }
        return runKind(reflect, "model", input, { ...recorded, context })
      }
      const idsOf = (output: JsonObject) =>
        (output["plan"] as { steps: ReadonlyArray<JsonObject> }).steps.map(({ id }) => id!)
      const none = yield* reflected({ strategy: "none", reasoning: "The service is down." })
      assert.deepStrictEqual(
        [none["done"], none["strategy"], idsOf(none)],
        [false, "extend", ["first", "second", "third"]],
      )
      const add = { op: "add", step: "fourth", tool: "pairs", params: {}, rationale: "r" }
      const more = yield* reflected({ strategy: "extend", modifications: [add] })
      assert.deepStrictEqual(idsOf(more), ["first", "second", "third", "fourth"])
    }),
  )

  it.effect("says without a model that nothing is left to try, and words a second relax anew", () =>
    Effect.gen(function* () {
      const left = yield* reflectOn(empty, { enabled: false })
      assert.deepStrictEqual(
        [left.output["done"], left.output["strategy"], left.output["reasoning"]],
        [
          true,
          "none",
          "nothing is left to try without a model: no rule and no relaxed search changes the plan",
        ],
      )
      const relax = { pairs: [{ limit: { times: 2 } }] }
      const again = yield* reflectOn(empty, { relax, enabled: false, round: 1, rounds: 5 })
      assert.strictEqual(again.output["message"], "I am searching even more broadly.")
    }),
  )

  it.effect("says that a model left the plan as it was", () =>
    Effect.gen(function* () {
      const reply = { strategy: "rewrite", reasoning: "No idea.", plan: plan as unknown as Json }
      const { output } = yield* reflectOn(empty, {}, [reply])
      assert.deepStrictEqual(
        [output["done"], output["reasoning"]],
        [true, "No idea. The plan would stay the same: it ends here."],
      )
    }),
  )

  it.effect("relaxes without a model, or changes nothing where both are switched off", () =>
    Effect.gen(function* () {
      const relax = { pairs: [{ limit: { times: 2, at_least: 20 } }] }
      const off = yield* reflectOn(empty, { relax, enabled: false })
      assert.deepStrictEqual(
        [off.asks.length, off.output["strategy"], off.output["message"]],
        [0, "relax", "I am broadening the search."],
      )
      const none = yield* reflectOn(empty, { relax, enabled: false, mechanical: false })
      assert.deepStrictEqual([none.output["done"], none.output["difference"]], [true, []])
    }),
  )
})
