import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

describe("correlation", () => {
  it("agrees with DuckDB's r for every pair, strongest first", async () => {
    const table = await callTable("correlation", {}, await open(sales))
    const [expected] = await independently(
      `SELECT corr(revenue, units) AS a, corr(revenue, returns) AS b, corr(units, returns) AS c FROM '${sales}'`,
    )
    const found = Object.fromEntries(
      table.preview.map((row) => [`${String(row["column"])} ${String(row["with"])}`, row]),
    )
    assert.closeTo(Number(found["revenue units"]!["correlation"]), Number(expected!["a"]), 1e-9)
    assert.closeTo(Number(found["revenue returns"]!["correlation"]), Number(expected!["b"]), 1e-9)
    assert.closeTo(Number(found["units returns"]!["correlation"]), Number(expected!["c"]), 1e-9)
    const sizes = table.preview.map((row) => Math.abs(Number(row["correlation"])))
    assert.deepStrictEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    )
    assert.strictEqual(table.preview[0]!["rows"], 17_508)
  })

  it("agrees with a manual computation over the rows with both values", async () => {
    // r of (1,2), (2,4), (3,5): cov 1.5, deviations 1 and √(7/3).
    const table = await callTable(
      "correlation",
      { columns: ["a", "b"] },
      await open(given("corr-gaps.csv", "a,b\n1,2\n2,4\n3,5\n4,\n,9\n")),
    )
    assert.closeTo(Number(table.preview[0]!["correlation"]), 1.5 / Math.sqrt(7 / 3), 1e-12)
    assert.strictEqual(table.preview[0]!["rows"], 3)
  })

  it("returns a symmetric matrix with a diagonal of ones", async () => {
    const table = await callTable("correlation", { form: "matrix" }, await open(sales))
    const names = ["revenue", "units", "returns"]
    assert.deepStrictEqual(
      table.columns.map(({ name }) => name),
      ["column", ...names],
    )
    for (const [i, a] of names.entries())
      for (const [j, b] of names.entries()) {
        assert.closeTo(Number(table.preview[i]![b]), Number(table.preview[j]![a]), 1e-12)
        if (i === j) assert.closeTo(Number(table.preview[i]![a]), 1, 1e-12)
      }
  })

  it("returns no r for a constant and for an empty table", async () => {
    const table = await open(given("corr-const.csv", "a,b\n1,7\n2,7\n3,7\n"))
    assert.isNull((await callTable("correlation", {}, table)).preview[0]!["correlation"])
    const none = await callTable("filter", { filters: [{ column: "a", op: ">", value: 9 }] }, table)
    const empty = await callTable("correlation", {}, none as never)
    assert.deepStrictEqual(empty.preview, [{ column: "a", with: "b", correlation: null, rows: 0 }])
  })

  it("rejects text columns and a single column", async () => {
    const table = await open(given("corr-text.csv", "a,b\nx,7\ny,8\n"))
    const text = await failure("correlation", { columns: ["a", "b"] }, { table })
    assert.deepInclude(text.detail as object, { column: "a", type: "string" })
    assert.include((await failure("correlation", {}, { table })).message, "two columns")
  })
})
