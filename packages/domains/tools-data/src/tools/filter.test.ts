import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

const count = async (where: string): Promise<number> =>
  Number((await independently(`SELECT count(*) AS n FROM '${sales}' WHERE ${where}`))[0]!["n"])

describe("filter", () => {
  it.each([
    [{ column: "date", op: "=", value: "2023" }, "year(date) = 2023"],
    [{ column: "date", op: "=", value: "2023-Q2" }, "date BETWEEN '2023-04-01' AND '2023-06-30'"],
    [{ column: "date", op: "!=", value: "2023-05" }, "strftime(date, '%Y-%m') <> '2023-05'"],
    [{ column: "date", op: "<=", value: "2022" }, "date <= '2022-12-31'"],
    [{ column: "date", op: ">", value: "2024-11" }, "date > '2024-11-30'"],
    [
      { column: "date", op: "between", value: ["2023-02-03", "2023-03"] },
      "date >= '2023-02-03' AND date <= '2023-03-31'",
    ],
    [
      { column: "date", op: "in", value: ["2022-01", "2024-01-05"] },
      "(date BETWEEN '2022-01-01' AND '2022-01-31') OR date = '2024-01-05'",
    ],
    [{ column: "region", op: "=", value: "Europe" }, "region = 'Europe'"],
    [{ column: "region", op: "!=", value: "Europe" }, "region <> 'Europe'"],
    [{ column: "region", op: "in", value: ["Europe", "Atlantis"] }, "region = 'Europe'"],
    [
      { column: "region", op: "not_in", value: ["Europe", "North America"] },
      "region NOT IN ('Europe', 'North America')",
    ],
    [{ column: "region", op: "contains", value: "AMERICA" }, "region LIKE '%America'"],
    [{ column: "units", op: ">=", value: 100 }, "units >= 100"],
    [{ column: "units", op: "<", value: "12.5" }, "units < 12.5"],
    [{ column: "revenue", op: "between", value: [1000, 2000] }, "revenue BETWEEN 1000 AND 2000"],
    [{ column: "region", op: "is_null" }, "region IS NULL"],
  ])("keeps the rows that $0 means", async (condition, where) => {
    const table = await callTable("filter", { filters: [condition] }, await open(sales))
    assert.strictEqual(table.rows, await count(where))
  })

  it("keeps rows that meet all conditions", async () => {
    const table = await callTable(
      "filter",
      {
        filters: [
          { column: "region", op: "=", value: "Europe" },
          { column: "units", op: ">", value: 200 },
        ],
      },
      await open(sales),
    )
    assert.strictEqual(table.rows, await count("region = 'Europe' AND units > 200"))
  })

  it("keeps rows without a value only if another value is excluded", async () => {
    const table = await open(given("missing.csv", "a,n\nx,1\n,2\ny,3\n"))
    const rows = async (op: string, value: string | ReadonlyArray<string>) =>
      (await callTable("filter", { filters: [{ column: "a", op, value }] }, table)).rows
    assert.strictEqual(await rows("!=", "x"), 2)
    assert.strictEqual(await rows("not_in", ["x"]), 2)
    assert.strictEqual(await rows("not_contains", "x"), 2)
    assert.strictEqual(await rows("=", "x"), 1)
    assert.strictEqual(await rows("contains", "x"), 1)
  })

  it("gives an empty table when nothing fits", async () => {
    const table = await callTable(
      "filter",
      { filters: [{ column: "region", op: "=", value: "Atlantis" }] },
      await open(sales),
    )
    assert.strictEqual(table.rows, 0)
    assert.deepStrictEqual(table.preview, [])
  })

  it.each([
    [{ column: "units", op: ">", value: "many" }, '"units" holds numbers, not "many"'],
    [{ column: "date", op: "=", value: "soon" }, '"soon" is not a date'],
    [{ column: "date", op: "=", value: "2023-02-31" }, "is not a date"],
    [{ column: "date", op: "contains", value: "2023" }, "contains does not work on dates"],
    [{ column: "units", op: "between", value: [1] }, "between needs two values"],
    [{ column: "units", op: "in", value: [] }, "in needs at least one value"],
    [{ column: "units", op: "=" }, "= needs a value"],
    [{ column: "units", op: "like", value: 1 }, "op must be one of"],
    [{ column: "unit", op: "=", value: 1 }, 'did you mean "units"?'],
  ])("refuses %j", async (condition, message) => {
    const error = await failure("filter", { filters: [condition] }, { table: await open(sales) })
    assert.strictEqual(error.class, "invalid_request")
    assert.include(error.message, message)
  })
})
