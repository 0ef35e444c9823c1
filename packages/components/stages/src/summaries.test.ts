import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { noRequirements } from "@planloom/analyst"
import { runKind } from "../../stage-kit/test/context.ts"
import { tableContext } from "../test/sales.ts"
import { call } from "./kinds/call.ts"
import { cover } from "./kinds/cover.ts"
import { generate } from "./kinds/generate.ts"
import { executionLine, planLine, toolsLine, valueLine } from "./summaries.ts"

const step = (id: string, from: string) => ({
  id,
  tool: id,
  inputs: { data: from },
  params: {},
  satisfies: [],
})

describe("the summary of a stage", () => {
  it("shows parallel steps of a plan, and summarizes a plan that cannot run", () => {
    const series = step("series", "source")
    const plan = { steps: [series, step("chart", "series"), step("anomalies", "series")] }
    assert.strictEqual(planLine(plan, "grouped"), "grouped: series → chart, anomalies")
    assert.strictEqual(planLine({ steps: [] }, undefined), "no step")
    assert.strictEqual(planLine({ steps: [step("a", "b"), step("b", "a")] }, undefined), "a, b")
  })

  it("counts in the singular and the plural", () => {
    assert.strictEqual(toolsLine(["aggregate"], 24), "1 of 24 tools: aggregate")
    assert.strictEqual(toolsLine([], 1), "0 of 1 tool")
    assert.strictEqual(executionLine(1, 0, 0), "1 step")
    assert.strictEqual(executionLine(4, 1, 2), "4 steps, 1 repair, 2 failed")
  })

  it("summarizes values by title, fields, words or items", () => {
    assert.strictEqual(valueLine({ type: "chart", title: "Sales" }), "chart: Sales")
    assert.strictEqual(valueLine({ urgent: true, topic: "x" }), "urgent, topic")
    assert.strictEqual(valueLine("three short words"), "3 words")
    assert.strictEqual(valueLine([1]), "1 item")
    for (const value of [null, 1, true, {}]) assert.isUndefined(valueLine(value))
  })

  it.effect("is recorded as a note unless it is empty", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ call: () => ({ rows: 2 }) })
      yield* runKind(call, "run", { tool: "count" }, recorded)
      assert.deepStrictEqual(recorded.notes, [{ note: "summary", data: "the result of count" }])
      const silent = tableContext({ call: () => null })
      yield* runKind(call, "run", { tool: "nothing" }, silent)
      assert.deepStrictEqual(silent.notes, [])
      const wrote = tableContext({ replies: ["Two words"] })
      yield* runKind(generate, "model", { task: "Write." }, wrote)
      assert.deepStrictEqual(wrote.notes, [{ note: "summary", data: "2 words" }])
    }),
  )

  it.effect("lists uncovered requirements of a plan", () =>
    Effect.gen(function* () {
      const recorded = tableContext()
      const requirements = { ...noRequirements, metrics: ["revenue"] }
      yield* runKind(cover, "run", { plan: { steps: [] }, requirements } as never, recorded)
      assert.match(String(recorded.notes[0]?.data), /^1 of 1 requirement not covered; /)
    }),
  )
})
