import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

describe("ratio and difference", () => {
  it("agree with DuckDB on totals and averages per group", async () => {
    const table = await open(sales)
    const group_by = ["region"]
    const ratio = await callTable("ratio", { metrics: ["revenue", "units"], group_by }, table)
    const minus = await callTable(
      "difference",
      { metrics: ["units", "returns"], group_by, agg: "avg" },
      table,
    )
    const expected = await independently(
      `SELECT sum(revenue) / sum(units) AS r, avg(units) - avg(returns) AS d FROM '${sales}' GROUP BY region ORDER BY region`,
    )
    for (const [index, { d, r }] of expected.entries()) {
      assert.closeTo(Number(ratio.preview[index]!["ratio"]), Number(r), 1e-9)
      assert.closeTo(Number(minus.preview[index]!["difference"]), Number(d), 1e-9)
    }
  })

  it("give no ratio where the divisor is zero", async () => {
    const file = given("ratio-zero.csv", "a,b\n1,0\n2,0\n")
    const table = await callTable("ratio", { metrics: ["a", "b"] }, await open(file))
    assert.deepStrictEqual(table.preview, [{ ratio: null }])
  })

  it("reject one column alone", async () => {
    const { message } = await failure("ratio", { metrics: ["units"] }, { table: await open(sales) })
    assert.match(message, /two columns/)
  })
})
