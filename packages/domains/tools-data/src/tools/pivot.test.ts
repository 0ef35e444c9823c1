import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

describe("pivot", () => {
  it("agrees with DuckDB's totals", async () => {
    const table = await callTable(
      "pivot",
      { rows: ["region"], across: "product_category", value: "revenue" },
      await open(sales),
    )
    assert.deepStrictEqual(
      table.columns.map(({ name }) => name),
      ["region", "Clothing", "Electronics", "Home", "Toys"],
    )
    const expected = await independently(
      `SELECT region, product_category AS category, sum(revenue) AS total FROM '${sales}' GROUP BY ALL`,
    )
    for (const { region, category, total } of expected)
      assert.closeTo(
        Number(table.preview.find((row) => row["region"] === region)![String(category)]),
        Number(total),
        1e-3,
      )
    assert.strictEqual(table.rows, 4)
  })

  it("labels columns of years with the year, in chronological order", async () => {
    const yearly = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["units"], time_column: "date", time_grain: "year" },
      await open(sales),
    )
    const table = await callTable("pivot", { rows: ["region"], across: "date" }, yearly as never)
    assert.deepStrictEqual(
      table.columns.map(({ name }) => name),
      ["region", "2022", "2023", "2024"],
    )
  })

  it("adds a column for missing values, and leaves cells without rows empty", async () => {
    const table = await callTable(
      "pivot",
      { rows: ["a"], across: "b", value: "n" },
      await open(given("pivot-gaps.csv", "a,b,n\nx,p,1\nx,,2\ny,q,3\n")),
    )
    assert.deepStrictEqual(table.preview, [
      { a: "x", p: 1, q: null, "(missing)": 2 },
      { a: "y", p: null, q: 3, "(missing)": null },
    ])
  })

  it("counts rows unless a number is named, and returns one row without row groups", async () => {
    const table = await callTable(
      "pivot",
      { rows: [], across: "b", agg: "count" },
      await open(given("pivot-count.csv", "a,b\nx,p\ny,p\nz,q\n")),
    )
    assert.deepStrictEqual(table.preview, [{ p: 2, q: 1 }])
  })

  it("renames a value column that clashes with a row column", async () => {
    const table = await callTable(
      "pivot",
      { rows: ["a"], across: "b", value: "n" },
      await open(given("pivot-clash.csv", "a,b,n\nx,A,1\nx,c,2\n")),
    )
    assert.deepStrictEqual(table.preview, [{ a: "x", A_2: 1, c: 2 }])
  })

  it("rejects too many columns and an empty table", async () => {
    const many = Array.from({ length: 120 }, (_, index) => `x,v${index},1`).join("\n")
    const table = await open(given("pivot-many.csv", `a,b,n\n${many}\n`))
    const error = await failure("pivot", { rows: ["a"], across: "b" }, { table })
    assert.strictEqual(error.class, "invalid_request")
    assert.deepStrictEqual(error.detail, { column: "b" } as JsonObject)
    const none = await callTable(
      "filter",
      { filters: [{ column: "a", op: "=", value: "nobody" }] },
      table,
    )
    const empty = await failure("pivot", { rows: ["a"], across: "b" }, { table: none as never })
    assert.include(empty.message, "no rows")
  })
})
