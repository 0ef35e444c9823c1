import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { failureClasses, ToolFailed } from "@planloom/plugin/effect"
import type { FailureClass, Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import type { Step } from "@planloom/planning"
import { makeContext, runKind } from "../../../stage-kit/test/context.ts"
import type { Call } from "../../../stage-kit/test/context.ts"
import { table, tableContext, tools } from "../../test/sales.ts"
import { execute } from "./execute.ts"

const step = (id: string, tool: string, from: string, params: JsonObject = {}): Step => ({
  id,
  tool,
  inputs: { table: from },
  params,
  satisfies: [],
})

const planOf = (...steps: ReadonlyArray<Step>) => ({ steps }) as unknown as Json
const source = table(
  [
    ["region", "string"],
    ["revenue", "number"],
  ],
  [["North", 1]],
)

const fail = (call: Call, message: string) =>
  Effect.fail(new ToolFailed({ tool: call.tool, class: "tool_error", message }))

describe("execute", () => {
  it.effect("passes each step the results it reads, and returns all results", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, call: ({ key }) => `result of ${key}` })
      const plan = planOf(
        step("chart", "plot_bar", "grouped", { x: "region", y: "revenue" }),
        step("grouped", "aggregate", "north", { group_by: ["region"] }),
        step("north", "filter", "source"),
      )
      const output = yield* runKind(execute, "run", { plan, source }, recorded)
      assert.deepStrictEqual(output.order, ["north", "grouped", "chart"])
      assert.deepStrictEqual(output.steps, {
        north: "result of north",
        grouped: "result of grouped",
        chart: "result of chart",
      })
      assert.strictEqual(output.last, "result of chart")
      assert.deepStrictEqual(
        recorded.calls.map(({ key, inputs }) => [key, inputs.table]),
        [
          ["north", source],
          ["grouped", "result of north"],
          ["chart", "result of grouped"],
        ],
      )
      assert.strictEqual(recorded.progress.length, 3)
    }),
  )

  it.effect("takes a step without inputs, params and requirements", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, call: () => null })
      const plan: Json = { steps: [{ id: "all", tool: "filter" }] }
      yield* runKind(execute, "run", { plan, source }, recorded)
      assert.deepStrictEqual(
        recorded.calls.map(({ inputs, params }) => [inputs, params]),
        [[{ table: source }, {}]],
      )
    }),
  )

  it.effect("runs independent steps in parallel, up to max_parallel", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let running = 0
      let most = 0
      const call = () =>
        Effect.gen(function* () {
          running++
          most = Math.max(most, running)
          if (running === 2) yield* Deferred.succeed(gate, undefined)
          yield* Deferred.await(gate)
          running--
          return null as Json
        })
      const steps = ["a", "b", "c", "d"].map((id) => step(id, "aggregate", "source"))
      yield* runKind(
        execute,
        "run",
        { plan: planOf(...steps), source, max_parallel: 2 },
        tableContext({ tools, call }),
      )
      assert.strictEqual(most, 2)
    }),
  )

  it.effect("repairs column names in arguments and records each repair", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, call: () => null })
      const plan = planOf({
        ...step("grouped", "aggregate", "source", { group_by: "Region", agg: "mean" }),
        inputs: {},
      })
      const output = yield* runKind(execute, "run", { plan, source }, recorded)
      assert.deepStrictEqual(recorded.calls[0]?.params, { group_by: ["region"], agg: "avg" })
      assert.deepStrictEqual(recorded.calls[0]?.inputs, { table: source })
      const rules = (output.repairs as ReadonlyArray<JsonObject>).map(({ step: id, rule }) => [
        id,
        rule,
      ])
      assert.sameDeepMembers(rules, [
        ["grouped", "missing_input"],
        ["grouped", "wrap_list"],
        ["grouped", "column_name"],
        ["grouped", "fold_choice"],
      ])
      assert.strictEqual(recorded.notes.filter(({ note }) => note === "repair").length, 4)
    }),
  )

  it.effect("executes a repaired plan exactly as the corrected one", () =>
    Effect.gen(function* () {
      const run = (params: JsonObject) => {
        const recorded = tableContext({ tools, call: ({ params: used }) => used })
        const plan = planOf(step("grouped", "aggregate", "source", params))
        return Effect.map(runKind(execute, "run", { plan, source }, recorded), ({ steps }) => ({
          steps,
          calls: recorded.calls,
        }))
      }
      assert.deepStrictEqual(
        yield* run({ groupBy: "REGION", metrics: "revnue", agg: "Sum" }),
        yield* run({ group_by: ["region"], metrics: ["revenue"], agg: "sum" }),
      )
    }),
  )

  it.effect("fails with the step that failed and its reason", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, call: (one) => fail(one, "disk full") })
      const plan = planOf(
        step("grouped", "aggregate", "source"),
        step("chart", "plot_bar", "grouped", { x: "region", y: "revenue" }),
      )
      const failure = yield* Effect.flip(runKind(execute, "run", { plan, source }, recorded))
      assert.deepInclude(failure, {
        class: "tool_error",
        message: "step grouped (aggregate): disk full",
        detail: { step: "grouped", tool: "aggregate" },
      })
      assert.strictEqual(recorded.calls.length, 1)
    }),
  )

  it.effect("does not call a tool with arguments it cannot repair", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools })
      const plan = planOf(step("grouped", "aggregate", "source", { agg: "wobble" }))
      const failure = yield* Effect.flip(runKind(execute, "run", { plan, source }, recorded))
      assert.match(
        failure.message,
        /step grouped \(aggregate\): agg must be one of sum, avg, count/,
      )
      assert.deepStrictEqual(recorded.calls, [])
    }),
  )

  it.effect("with on_step_error: keep continues without a failed step and its dependents", () =>
    Effect.gen(function* () {
      const call = (one: Call) => (one.key === "a" ? fail(one, "no rows") : "done")
      const plan = planOf(
        step("a", "aggregate", "source"),
        step("b", "top_n", "a"),
        step("c", "compute_summary_stats", "source"),
      )
      const output = yield* runKind(
        execute,
        "run",
        { plan, source, on_step_error: "keep" },
        tableContext({ tools, call }),
      )
      assert.deepStrictEqual(output.steps, { c: "done" })
      assert.deepStrictEqual(output.failed, [
        { step: "a", tool: "aggregate", class: "tool_error", message: "no rows" },
        { step: "b", tool: "top_n", class: "tool_error", message: "not run, because a failed" },
      ])
    }),
  )

  it.effect(
    "with on_step_error: keep succeeds whatever becomes of its steps, each with its class",
    () =>
      Effect.gen(function* () {
        const classes = Object.keys(failureClasses) as ReadonlyArray<FailureClass>
        const fates = [...classes, "done", "unknown", "misfit", "stuck"] as const
        yield* Effect.forEach(
          fc.sample(fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 6 }), {
            numRuns: cases(40),
            seed: 32,
          }),
          (wanted) =>
            Effect.gen(function* () {
              const steps = wanted.map((fate, at) =>
                fate === "stuck"
                  ? step(`s${at}`, "aggregate", `s${at}`)
                  : step(
                      `s${at}`,
                      fate === "unknown" ? "nothing" : "aggregate",
                      "source",
                      fate === "misfit" ? { agg: "wobble" } : {},
                    ),
              )
              const call = ({ key, tool }: Call) => {
                const fate = wanted[Number(key.slice(1))]!
                return fate === "done"
                  ? "done"
                  : Effect.fail(
                      new ToolFailed({ tool, class: fate as FailureClass, message: "no" }),
                    )
              }
              const output = yield* runKind(
                execute,
                "run",
                { plan: planOf(...steps), source, on_step_error: "keep" },
                tableContext({ tools, call }),
              )
              const reasons = new Map(
                (output.failed as ReadonlyArray<JsonObject>).map((one) => [one.step, one.class]),
              )
              wanted.forEach((fate, at) => {
                const expected =
                  fate === "done"
                    ? undefined
                    : fate === "unknown" || fate === "misfit" || fate === "stuck"
                      ? "invalid_request"
                      : fate
                assert.strictEqual(reasons.get(`s${at}`), expected, fate)
              })
              assert.strictEqual(
                Object.keys(output.steps as JsonObject).length,
                wanted.filter((fate) => fate === "done").length,
              )
            }),
        )
      }),
  )

  it.effect("without keep fails with the class of the step", () =>
    Effect.gen(function* () {
      const call = (one: Call) =>
        Effect.fail(new ToolFailed({ tool: one.tool, class: "budget", message: "spent" }))
      const plan = planOf(step("a", "aggregate", "source"))
      const failure = yield* Effect.flip(
        runKind(execute, "run", { plan, source }, tableContext({ tools, call })),
      )
      assert.strictEqual(failure.class, "budget")
    }),
  )

  it.effect("rejects a plan with a dependency cycle", () =>
    Effect.gen(function* () {
      const plan = planOf(step("a", "aggregate", "b"), step("b", "aggregate", "a"))
      const failure = yield* Effect.flip(
        runKind(execute, "run", { plan, source }, tableContext({ tools })),
      )
      assert.match(failure.message, /a, b wait for steps that are not there or wait for them/)
    }),
  )

  it.effect("stops the running steps when it is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      let stopped = false
      const call = () =>
        Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Effect.sync(() => void (stopped = true))),
        )
      const fiber = yield* Effect.forkChild(
        runKind(
          execute,
          "run",
          { plan: planOf(step("a", "aggregate", "source")), source },
          tableContext({ tools, call }),
        ),
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(stopped)
    }),
  )
})

/** Activity of a router, the pairs of its tokens, and a check of each. */
const market: ReadonlyArray<Tool> = ["activity", "pairs", "safety"].map((name) => ({
  name,
  summary: name,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params:
    name === "activity"
      ? true
      : {
          type: "object",
          additionalProperties: false,
          required: ["address"],
          properties: { address: { type: "string" } },
        },
}))

const chain = (more: JsonObject = {}) =>
  ({
    steps: [
      { id: "activity", tool: "activity", inputs: {}, params: {}, satisfies: [] },
      {
        id: "pairs",
        tool: "pairs",
        inputs: {},
        each: { over: { $from: "activity", path: "items" }, as: "token", limit: 2 },
        params: { address: { $from: "token", path: "address" } },
        satisfies: [],
        ...more,
      },
      {
        id: "safety",
        tool: "safety",
        inputs: {},
        params: { address: { $from: "pairs", path: "[0].token" } },
        satisfies: [],
      },
    ],
  }) as Json

const activity = (items: Json): Json => ({ items })
const addresses = ["0x1", "0x2", "0x3"].map((address) => ({ address }))

const marketRun = (
  items: Json,
  more: JsonObject = {},
  call: (one: Call) => Json | Effect.Effect<Json, ToolFailed> = ({ key, params }) => ({
    token: `${String(params.address)} of ${key}`,
  }),
) => {
  const recorded = makeContext({
    tools: market,
    call: (one) => (one.tool === "activity" ? activity(items) : call(one)),
  })
  return { recorded, run: runKind(execute, "run", { plan: chain(), ...more }, recorded) }
}

describe("a plan with references", () => {
  it.effect("is one round: each step reads the results of the steps before it", () =>
    Effect.gen(function* () {
      const { recorded, run } = marketRun(addresses)
      const { failed, steps } = yield* run
      assert.deepStrictEqual(failed, [])
      assert.deepStrictEqual(
        recorded.calls.map(({ key, params }) => [key, params.address]),
        [
          ["activity", undefined],
          ["pairs[0]", "0x1"],
          ["pairs[1]", "0x2"],
          ["safety", "0x1 of pairs[0]"],
        ],
      )
      assert.deepStrictEqual((steps as JsonObject)["pairs"], [
        { token: "0x1 of pairs[0]" },
        { token: "0x2 of pairs[1]" },
      ])
    }),
  )

  it.effect("fails at a step whose value is not there or has another type, without its call", () =>
    Effect.gen(function* () {
      const broken: ReadonlyArray<readonly [Json, string]> = [
        [[], "step safety (safety): params.address: of pairs, the result has 0 items, and no [0]"],
        [{}, "step pairs (pairs): each.over: what it refers to is no list"],
        [[{ other: 1 }], "step pairs (pairs): params.address: of token, the result has no address"],
        [[{ address: { deep: 1 } }], 'step pairs (pairs): address must be string, not {"deep":1}'],
      ]
      for (const [items, message] of broken) {
        const failure = yield* Effect.flip(marketRun(items).run)
        assert.deepInclude(failure, { class: "invalid_request", message })
      }
    }),
  )

  it.effect("keeps the items that have a result, and lists the others", () =>
    Effect.gen(function* () {
      const call = (one: Call) =>
        one.key === "pairs[0]"
          ? fail(one, "down")
          : ({ token: String(one.params.address) } satisfies Json)
      const { run } = marketRun(addresses, { on_step_error: "keep" }, call)
      const { failed, steps } = yield* run
      assert.deepStrictEqual(failed, [
        { step: "pairs[0]", tool: "pairs", class: "tool_error", message: "down" },
      ])
      assert.deepInclude(steps, { pairs: [{ token: "0x2" }], safety: { token: "0x2" } })
    }),
  )

  it.effect("reads a reference inside of a result as data", () =>
    Effect.gen(function* () {
      const hostile = { $from: "activity", path: "items" }
      const failure = yield* Effect.flip(marketRun([{ address: hostile }]).run)
      assert.include(failure.message, "must be string")
    }),
  )

  it.effect("makes no call if it may make more than max_steps", () =>
    Effect.gen(function* () {
      const { recorded, run } = marketRun(addresses, { max_steps: 3 })
      const failure = yield* Effect.flip(run)
      assert.deepInclude(failure, {
        class: "invalid_request",
        message: "the plan may make 4 calls, and at most 3 are allowed",
      })
      const kept = yield* marketRun(addresses, { max_steps: 3, on_step_error: "keep" }).run
      assert.lengthOf(kept.failed as ReadonlyArray<Json>, 3)
      assert.deepStrictEqual(recorded.calls, [])
    }),
  )

  it("states the most calls of a plan that is written out, and of max_steps", () => {
    const asked = (given: JsonObject) =>
      execute.asks!({ with: given, open: [], can: () => false, tools: [] }).calls
    assert.strictEqual(asked({ plan: chain() }), 4)
    assert.strictEqual(
      asked({ plan: chain({ each: { over: { $from: "activity" }, as: "t" } }) }),
      12,
    )
    assert.strictEqual(asked({ max_steps: 7 }), 7)
    assert.strictEqual(asked({}), Infinity)
  })
})
