/** Stubbed tools, called as the engine calls them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { ToolInvocation } from "@planloom/plugin/effect"
import { stubTools } from "./stubTools.ts"

const calling = (tool: string, params: ToolInvocation["params"] = {}): ToolInvocation => ({
  tool,
  params,
  inputs: { table: "t1" },
  key: `run/stage/${tool}`,
  workspace: "unused",
  roots: [],
  user: {},
  index: () => Effect.die("there is no index"),
  variant: () => undefined,
  askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
  note: () => Effect.void,
  progress: () => Effect.void,
})

describe("stubbed tools", () => {
  it.effect("give the same result to every call, and remember the calls", () =>
    Effect.gen(function* () {
      const source = stubTools({ aggregate: { result: { rows: [1] } } })
      const first = yield* source.call(calling("aggregate", { by: "region" }))
      const { rows } = first.value as { rows: Array<number> }
      rows.push(2)
      assert.deepStrictEqual(yield* source.call(calling("aggregate")), { value: { rows: [1] } })
      assert.deepStrictEqual(source.calls[0], {
        tool: "aggregate",
        params: { by: "region" },
        inputs: { table: "t1" },
        key: "run/stage/aggregate",
      })
      assert.lengthOf(source.calls, 2)
      source.assertExhausted()
    }),
  )

  it.effect("give results in order and refuse one call more", () =>
    Effect.gen(function* () {
      const source = stubTools({ top: { results: [1, 2] } })
      assert.deepStrictEqual(yield* source.call(calling("top")), { value: 1 })
      assert.throws(() => source.assertExhausted(), '"top" has 1 result left')
      assert.deepStrictEqual(yield* source.call(calling("top")), { value: 2 })
      const failure = yield* Effect.flip(source.call(calling("top")))
      assert.strictEqual(failure.class, "internal")
      assert.strictEqual(failure.message, 'the stub of "top" has 2 results, and this is call 3')
      assert.throws(() => source.assertExhausted(), "this is call 3")
    }),
  )

  it.effect("fail as they are told to", () =>
    Effect.gen(function* () {
      const source = stubTools({
        plot: { fail: { class: "tool_error", message: "no canvas", detail: { at: 1 } } },
      })
      const failure = yield* Effect.flip(source.call(calling("plot")))
      assert.deepInclude({ ...failure }, { class: "tool_error", tool: "plot", detail: { at: 1 } })
      assert.strictEqual(failure.message, "no canvas")
    }),
  )

  it.effect("refuse a tool they do not know, even one every object has", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(stubTools({}).call(calling("toString")))
      assert.include(failure.message, 'the tool "toString" has no stub')
    }),
  )

  it.effect("take their time on Effect's clock", () =>
    Effect.gen(function* () {
      const source = stubTools({ slow: { result: "done", delay: 500 } })
      const call = yield* Effect.forkChild(source.call(calling("slow")))
      yield* TestClock.adjust(499)
      assert.isUndefined(call.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(call), { value: "done" })
    }),
  )

  it.effect("list what is said of them", () =>
    Effect.gen(function* () {
      const source = stubTools({ top: { result: 1, tool: { capabilities: ["rank"] } } })
      const [tool] = (yield* source.list).tools
      assert.deepInclude({ ...tool! }, { name: "top", capabilities: ["rank"], params: true })
    }),
  )
})
