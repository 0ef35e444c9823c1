import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

const toys = { column: "product_category", op: "=", value: "Toys" }

describe("rate", () => {
  it("agrees with DuckDB on the share of rows per group and year", async () => {
    const params = { of: [toys], group_by: ["region"], time_column: "date", time_grain: "year" }
    const table = await callTable("rate", params, await open(sales))
    const expected = await independently(
      `SELECT avg((product_category = 'Toys')::INT) * 100 AS part, count(*)::INT AS n
       FROM '${sales}' GROUP BY date_trunc('year', date), region ORDER BY date_trunc('year', date), region`,
    )
    assert.strictEqual(table.rows, expected.length)
    for (const [index, { n, part }] of expected.entries()) {
      assert.closeTo(Number(table.preview[index]!["rate"]), Number(part), 1e-9)
      assert.strictEqual(table.preview[index]!["rows"], n)
    }
  })

  it("leaves out rows whose condition has no result, with a note", async () => {
    const file = given("rate-missing.csv", "id,end\n1,lost\n2,\n3,kept\n4,lost\n")
    const of = [{ column: "end", op: "!=", value: "kept" }]
    const lost = [{ column: "end", op: "=", value: "lost" }]
    const table = await open(file)
    const known = await callTable("rate", { of: lost }, table)
    assert.deepStrictEqual(known.preview, [{ rate: (100 * 2) / 3, matching: 2, rows: 3 }])
    assert.deepStrictEqual(known.notes, [
      "1 row has no value to test and is left out of the share.",
    ])
    assert.strictEqual((await callTable("rate", { of }, table)).preview[0]!["rate"], 75)
  })

  it("computes the share of a number instead of the rows", async () => {
    const params = { of: [toys], metrics: ["revenue"], group_by: ["region"] }
    const table = await callTable("rate", params, await open(sales))
    const expected = await independently(
      `SELECT 100 * sum(revenue) FILTER (product_category = 'Toys') / sum(revenue) AS part
       FROM '${sales}' GROUP BY region ORDER BY region`,
    )
    for (const [index, { part }] of expected.entries())
      assert.closeTo(Number(table.preview[index]!["rate"]), Number(part), 1e-9)
  })

  it("rejects a call without a condition", async () => {
    const { message } = await failure("rate", { of: [] }, { table: await open(sales) })
    assert.match(message, /needs the condition/)
  })
})
