import { assert, describe, it } from "@effect/vitest"
import { noRequirements } from "../requirements/Requirements.ts"
import { answerLine, requirementsLine } from "./summaries.ts"

describe("the summary of a stage", () => {
  it("summarizes requirements in one line", () => {
    assert.strictEqual(
      requirementsLine({
        ...noRequirements,
        metrics: ["revenue"],
        group_by: ["region"],
        time: { column: "date", grain: "month" },
        analysis: ["trend", "anomaly"],
        outputs: ["chart"],
        constraints: [
          { kind: "filter", column: "region", op: "!=", value: "North" },
          { kind: "top_n", n: 5, order: "desc" },
          { kind: "exclude", output: "table" },
        ],
        unknown: ["mood"],
      }),
      "revenue by region per month; trend, anomaly; region != North; top 5; no table; not understood: mood",
    )
    assert.strictEqual(requirementsLine(noRequirements), "nothing in particular is asked for")
  })

  it("counts lines, rows and charts of an answer", () => {
    assert.strictEqual(answerLine("one", null, 0), "answer of 1 line")
    const table = { columns: [{ name: "a" }], preview: [{ a: 1 }], rows: 1440 }
    assert.strictEqual(
      answerLine("one\ntwo", table, 1),
      "answer of 2 lines, table of 1,440 rows, 1 chart",
    )
  })
})
