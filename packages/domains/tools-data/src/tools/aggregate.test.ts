import { assert, describe, it } from "@effect/vitest"
import { call, callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

describe("aggregate", () => {
  it("gives the totals per month and region that DuckDB gives", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["revenue"], time_column: "date", time_grain: "month" },
      await open(sales),
    )
    const expected = await independently(
      `SELECT strftime(date_trunc('month', date), '%Y-%m-%d') AS date, region, sum(revenue) AS revenue FROM '${sales}' GROUP BY ALL ORDER BY 1, 2`,
    )
    assert.strictEqual(table.rows, expected.length)
    assert.strictEqual(table.rows, 36 * 4)
    for (const [index, row] of table.preview.entries()) {
      assert.strictEqual(row["date"], expected[index]!["date"])
      assert.strictEqual(row["region"], expected[index]!["region"])
      assert.closeTo(Number(row["revenue"]), Number(expected[index]!["revenue"]), 1e-6)
    }
  })

  it.each(["sum", "avg", "min", "max", "count", "median"])("computes %s", async (agg) => {
    const table = await callTable(
      "aggregate",
      { group_by: ["product_category"], metrics: ["units"], agg },
      await open(sales),
    )
    const expected = await independently(
      `SELECT product_category, CAST(${agg}(units) AS DOUBLE) AS units FROM '${sales}' GROUP BY 1 ORDER BY 1`,
    )
    assert.deepStrictEqual(
      table.preview.map((row) => [row["product_category"], Number(row["units"])]),
      expected.map((row) => [row["product_category"], Number(row["units"])]),
    )
  })

  it("counts rows when no metric is named", async () => {
    const table = await callTable("aggregate", { agg: "count" }, await open(sales))
    assert.deepStrictEqual(table.preview, [{ count: 17_508 }])
  })

  it("tells several functions of one column apart by name", async () => {
    const table = await callTable(
      "aggregate",
      { metrics: ["revenue"], measures: [{ column: "revenue", agg: "avg" }, { agg: "count" }] },
      await open(sales),
    )
    assert.deepStrictEqual(
      table.columns.map(({ name, label }) => [name, label]),
      [
        ["revenue_sum", "total revenue"],
        ["revenue_avg", "average revenue"],
        ["count", "number of rows"],
      ],
    )
  })

  it("keeps groups without a value apart", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["who"], metrics: ["n"] },
      await open(given("gaps.csv", "who,n\na,1\n,2\na,\n,5\n")),
    )
    assert.deepStrictEqual(table.preview, [
      { who: "a", n: 1 },
      { who: null, n: 7 },
    ])
  })

  it("takes years with one day each for whole years", async () => {
    const table = await callTable(
      "aggregate",
      { metrics: ["n"], time_column: "d", time_grain: "year" },
      await open(given("years.csv", "d,n\n2019-01-01,1\n2020-01-01,2\n2021-01-01,3\n")),
    )
    assert.strictEqual(table.notes, undefined)
  })

  it("says which weeks the data covers only in part", async () => {
    const table = await callTable(
      "aggregate",
      { metrics: ["revenue"], time_column: "date", time_grain: "week" },
      await open(sales),
    )
    assert.deepStrictEqual(table.notes, [
      "The data covers these weeks only in part: 2021-12-27, 2024-12-30.",
    ])
  })

  it("cuts moments to hours", async () => {
    const file = given("hours.csv", "t,n\n2024-01-01 10:05:00,1\n2024-01-01 10:55:00,2\n")
    const table = await callTable(
      "aggregate",
      { metrics: ["n"], time_column: "t", time_grain: "hour" },
      await open(file),
    )
    assert.deepStrictEqual(table.preview, [{ t: "2024-01-01T10:00:00", n: 3 }])
  })

  it("works on the result of a result", async () => {
    const monthly = await call(
      "aggregate",
      { group_by: ["region"], metrics: ["units"], time_column: "date", time_grain: "month" },
      { table: await open(sales) },
    )
    const best = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["units"], agg: "max" },
      monthly,
    )
    const expected = await independently(
      `SELECT region, CAST(max(u) AS DOUBLE) AS units FROM (SELECT region, date_trunc('month', date) AS m, sum(units) AS u FROM '${sales}' GROUP BY 1, 2) GROUP BY 1 ORDER BY 1`,
    )
    assert.deepStrictEqual(
      best.preview.map((row) => ({ ...row, units: Number(row["units"]) })),
      expected,
    )
  })

  it("says what a wrong column might have been", async () => {
    const error = await failure("aggregate", { metrics: ["revenu"] }, { table: await open(sales) })
    assert.strictEqual(error.class, "invalid_request")
    assert.include(error.message, 'did you mean "revenue"?')
  })

  it("refuses to add up names", async () => {
    const error = await failure("aggregate", { metrics: ["region"] }, { table: await open(sales) })
    assert.include(error.message, 'sum needs numbers, but "region" holds strings')
  })

  it("refuses what is not a table", async () => {
    for (const table of [null, 7, "sales.csv", { type: "chart" }, { type: "table" }]) {
      const error = await failure("aggregate", { metrics: ["revenue"] }, { table })
      assert.strictEqual(error._tag, "ToolFailed")
      assert.strictEqual(error.class, "invalid_request")
    }
  })
})
