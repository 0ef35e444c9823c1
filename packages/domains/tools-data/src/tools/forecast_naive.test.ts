import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

const series = (values: ReadonlyArray<number | "">, start = Date.UTC(2024, 0, 1)): string =>
  `d,n\n${values.map((value, index) => `${new Date(start + index * 86_400_000).toISOString().slice(0, 10)},${value}`).join("\n")}\n`

describe("forecast_naive", () => {
  it("repeats the last season, with the interval of Hyndman & Athanasopoulos", async () => {
    const table = await callTable(
      "forecast_naive",
      { column: "revenue", time_grain: "month", horizon: 14 },
      await open(sales),
    )
    const months = await independently(
      `SELECT date_trunc('month', date)::DATE::VARCHAR AS m, sum(revenue) AS s FROM '${sales}' GROUP BY 1 ORDER BY 1`,
    )
    const y = months.map(({ s }) => Number(s))
    const errors = y.slice(12).map((value, index) => value - y[index]!)
    const sigma = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length)
    assert.strictEqual(table.rows, 14)
    for (const [index, row] of table.preview.entries()) {
      const skipped = Math.floor(index / 12)
      const expected = y[36 + index - 12 * (skipped + 1)]!
      assert.closeTo(Number(row["forecast"]), expected, 1e-6)
      const half = 1.959963984540054 * sigma * Math.sqrt(skipped + 1)
      assert.closeTo(Number(row["low"]), expected - half, 1e-5)
      assert.closeTo(Number(row["high"]), expected + half, 1e-5)
    }
    assert.deepStrictEqual(
      [table.preview[0]!["date"], table.preview[13]!["date"]],
      ["2025-01-01", "2026-02-01"],
    )
  })

  it("repeats the last value of a series too short for a season; the interval grows with √h", async () => {
    const table = await callTable(
      "forecast_naive",
      { column: "n", horizon: 4, level: 80 },
      await open(given("fc-short.csv", series([1, 3, 2, 4]))),
    )
    // Changes 2, −1, 2: σ = √3.
    const width = 1.2815515655446004 * Math.sqrt(3)
    for (const [index, row] of table.preview.entries()) {
      assert.strictEqual(row["forecast"], 4)
      assert.closeTo(Number(row["high"]), 4 + width * Math.sqrt(index + 1), 1e-9)
    }
    assert.strictEqual(table.preview[0]!["d"], "2024-01-05")
  })

  it("uses the last known value of the same weekday for a missing one", async () => {
    const values: Array<number | ""> = Array.from({ length: 21 }, (_, index) => index)
    values[18] = ""
    const table = await callTable(
      "forecast_naive",
      { column: "n", horizon: 7 },
      await open(given("fc-gap.csv", series(values))),
    )
    assert.deepStrictEqual(
      table.preview.map((row) => row["forecast"]),
      [14, 15, 16, 17, 11, 19, 20],
    )
  })

  it("forecasts each group separately and can include the series", async () => {
    const table = await callTable(
      "forecast_naive",
      { column: "n", group_by: ["g"], horizon: 1, show: "all", season: 1 },
      await open(
        given(
          "fc-groups.csv",
          "d,g,n\n2024-01-01,a,1\n2024-01-02,a,2\n2024-01-01,b,10\n2024-01-02,b,20\n",
        ),
      ),
    )
    assert.deepStrictEqual(
      table.preview.map((row) => [row["d"], row["g"], row["n"], row["forecast"]]),
      [
        ["2024-01-01", "a", 1, null],
        ["2024-01-01", "b", 10, null],
        ["2024-01-02", "a", 2, null],
        ["2024-01-02", "b", 20, null],
        ["2024-01-03", "a", null, 2],
        ["2024-01-03", "b", null, 20],
      ],
    )
  })

  it("omits a partially covered last month", async () => {
    const days = Array.from({ length: 70 }, () => 1)
    const table = await callTable(
      "forecast_naive",
      { column: "n", time_grain: "month", horizon: 1 },
      await open(given("fc-part.csv", series(days))),
    )
    assert.deepStrictEqual(
      [table.preview[0]!["d"], table.preview[0]!["forecast"]],
      ["2024-03-01", 29],
    )
    assert.include(table.notes!.join(" "), "Left out")
  })

  it("starts weeks on Monday and quarters in their first month", async () => {
    const weekly = await callTable(
      "forecast_naive",
      { column: "n", time_grain: "week", horizon: 2 },
      await open(given("fc-week.csv", series(Array.from({ length: 28 }, () => 1)))),
    )
    assert.deepStrictEqual(
      weekly.preview.map((row) => [row["d"], row["forecast"]]),
      [
        ["2024-01-29", 7],
        ["2024-02-05", 7],
      ],
    )
    const quarterly = await callTable(
      "forecast_naive",
      { column: "revenue", time_grain: "quarter", horizon: 2 },
      await open(sales),
    )
    assert.deepStrictEqual(
      quarterly.preview.map((row) => row["date"]),
      ["2025-01-01", "2025-04-01"],
    )
  })

  it("counts rows unless a column is named", async () => {
    const table = await callTable(
      "forecast_naive",
      { agg: "count", time_grain: "day", horizon: 1 },
      await open(
        given("fc-count.csv", "d,n\n2024-01-01,\n2024-01-02,5\n2024-01-02,6\n2024-01-02,\n"),
      ),
    )
    assert.deepStrictEqual(
      [table.preview[0]!["d"], table.preview[0]!["forecast"]],
      ["2024-01-03", 3],
    )
    assert.strictEqual(table.columns[1]!.label, "forecast of number of rows")
  })

  it("returns no interval for a single value, with a note", async () => {
    const table = await callTable(
      "forecast_naive",
      { column: "n", horizon: 1 },
      await open(given("fc-one.csv", series([5]))),
    )
    assert.deepStrictEqual(
      [table.preview[0]!["forecast"], table.preview[0]!["low"], table.preview[0]!["high"]],
      [5, null, null],
    )
  })

  it("rejects a table without dates and one without rows", async () => {
    const table = await open(given("fc-none.csv", "a,n\nx,1\n"))
    assert.include((await failure("forecast_naive", {}, { table })).message, "no dates")
    const none = await callTable(
      "filter",
      { filters: [{ column: "n", op: ">", value: 99 }] },
      await open(given("fc-empty.csv", series([1, 2]))),
    )
    const empty = await failure("forecast_naive", {}, { table: none as never })
    assert.include(empty.message, "no dates")
  })
})
