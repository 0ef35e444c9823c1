import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

describe("moving_average", () => {
  it("agrees with an independent query over months", async () => {
    const table = await callTable(
      "moving_average",
      { column: "revenue", window: 3, time_grain: "month" },
      await open(sales),
    )
    const expected = await independently(
      `SELECT m::VARCHAR AS m, (a + b + c) / 3 AS mean FROM (SELECT m, s AS a, lag(s, 1) OVER (ORDER BY m) AS b, lag(s, 2) OVER (ORDER BY m) AS c FROM (SELECT date_trunc('month', date)::DATE AS m, sum(revenue) AS s FROM '${sales}' GROUP BY 1)) ORDER BY m`,
    )
    assert.strictEqual(table.rows, 36)
    for (const [index, { m, mean }] of expected.entries()) {
      const row = table.preview[index]!
      assert.strictEqual(row["date"], m)
      if (mean === null) assert.isNull(row["revenue_moving_average"])
      else assert.closeTo(Number(row["revenue_moving_average"]), Number(mean), 1e-6)
    }
  })

  it("smooths each group separately", async () => {
    const table = await callTable(
      "moving_average",
      { column: "n", window: 2, group_by: ["g"] },
      await open(
        given(
          "ma-groups.csv",
          "d,g,n\n2024-01-01,a,1\n2024-01-02,a,3\n2024-01-01,b,10\n2024-01-02,b,30\n",
        ),
      ),
    )
    assert.deepStrictEqual(
      table.preview.map((row) => [row["g"], row["n_moving_average"]]),
      [
        ["a", null],
        ["b", null],
        ["a", 2],
        ["b", 20],
      ],
    )
  })

  it("averages the present values if one is missing", async () => {
    const table = await callTable(
      "moving_average",
      { column: "n", window: 3 },
      await open(
        given(
          "ma-gaps.csv",
          "d,n\n2024-01-01,1\n2024-01-02,\n2024-01-03,5\n2024-01-04,\n2024-01-05,\n",
        ),
      ),
    )
    assert.deepStrictEqual(
      table.preview.map((row) => row["n_moving_average"]),
      [null, null, 3, 5, 5],
    )
  })

  it("rejects a table without dates, a text column and a window of one", async () => {
    const table = await open(given("ma-none.csv", "a,n\nx,1\n"))
    assert.include((await failure("moving_average", {}, { table })).message, "no dates")
    const dated = await open(given("ma-text.csv", "d,a\n2024-01-01,x\n"))
    const words = await failure(
      "moving_average",
      { column: "a", time_column: "d" },
      { table: dated },
    )
    assert.include(words.message, "needs numbers")
    const one = await failure(
      "moving_average",
      { column: "n", window: 1 },
      { table: await open(given("ma-one.csv", "d,n\n2024-01-01,1\n")) },
    )
    assert.include(one.message, "window")
  })
})
