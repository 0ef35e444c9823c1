import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { callTable, given, open, sales } from "../../test/toolCall.ts"
import { cases } from "../../../../../.config/cases.ts"

const monthly = {
  group_by: ["region"],
  metrics: ["revenue"],
  time_column: "date",
  time_grain: "month",
}

describe("detect_anomalies", () => {
  it("finds exactly the planted anomalies in monthly revenue by region", async () => {
    const series = await callTable("aggregate", monthly, await open(sales))
    const found = await callTable(
      "detect_anomalies",
      { column: "revenue", group_by: ["region"], time_column: "date" },
      series as never,
    )
    assert.deepStrictEqual(
      found.preview.map((row) => `${String(row["date"]).slice(0, 7)} ${row["region"]}`).toSorted(),
      ["2022-08 Asia Pacific", "2023-03 Europe", "2023-07 North America", "2024-09 Latin America"],
    )
    const outage = found.preview.find((row) => row["region"] === "Europe")!
    assert.isBelow(Number(outage["score"]), -10)
    // Three of about four and a half weeks at 15 %.
    assert.closeTo(Number(outage["deviation_percent"]), -59, 4)
  })

  it("finds the product recall in the returns of toys", async () => {
    const found = await callTable(
      "detect_anomalies",
      { column: "returns", group_by: ["region", "product_category"], time_grain: "month" },
      await open(sales),
    )
    assert.deepInclude(found.preview[0], {
      date: "2024-05-01",
      region: "Asia Pacific",
      product_category: "Toys",
    })
  })

  it("finds the day with a typing error", async () => {
    const found = await callTable(
      "detect_anomalies",
      { column: "units", group_by: ["region", "product_category"] },
      await open(sales),
    )
    assert.isTrue(
      found.preview.some(
        (row) =>
          row["date"] === "2024-09-17" &&
          row["region"] === "Latin America" &&
          row["product_category"] === "Home",
      ),
    )
  })

  it("does not report partially covered first and last weeks as low", async () => {
    const found = await callTable(
      "detect_anomalies",
      { column: "revenue", group_by: ["region"], time_grain: "week" },
      await open(sales),
    )
    assert.isTrue(
      found.preview.every((row) => row["date"] !== "2021-12-27" && row["date"] !== "2024-12-30"),
    )
    assert.include(found.notes!.join(" "), "2021-12-27, 2024-12-30")
  })

  it("scores rows by Iglewicz and Hoaglin's formula without a time column", async () => {
    const values = [2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3]
    const table = await open(given("scores.csv", `v\n${values.join("\n")}\n`))
    const found = await callTable("detect_anomalies", { column: "v", show: "all" }, table)
    const median = (list: ReadonlyArray<number>): number => {
      const sorted = list.toSorted((a, b) => a - b)
      const half = sorted.length / 2
      return Number.isInteger(half)
        ? (sorted[half - 1]! + sorted[half]!) / 2
        : sorted[Math.floor(half)]!
    }
    const middle = median(values)
    const off = values.map((value) => Math.abs(value - middle))
    const mean = off.reduce((sum, each) => sum + each, 0) / off.length
    const spread = Math.max(1.4826 * median(off), 1.2533 * mean)
    for (const row of found.preview)
      assert.closeTo(Number(row["score"]), (Number(row["v"]) - middle) / spread, 1e-9)
  })

  it("finds no anomaly in a constant or perfectly regular series", async () => {
    const days = Array.from({ length: 60 }, (_, index) =>
      new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
    )
    const table = await open(
      given(
        "regular.csv",
        `d,flat,week\n${days.map((day, index) => `${day},5,${10 + (index % 7)}`).join("\n")}\n`,
      ),
    )
    for (const column of ["flat", "week"])
      assert.strictEqual((await callTable("detect_anomalies", { column }, table)).rows, 0)
  })

  it("finds a spike at any position of a weekly series", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 89 }), async (at) => {
        const lines = Array.from({ length: 90 }, (_, index) => {
          const day = new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10)
          const usual = 100 + 40 * (index % 7) + ((index * 37) % 11)
          return `${day},${index === at ? usual * 4 : usual}`
        })
        const table = await open(given(`spike-${at}.csv`, `d,v\n${lines.join("\n")}\n`))
        const found = await callTable("detect_anomalies", { column: "v" }, table)
        assert.isTrue(found.rows >= 1)
        assert.strictEqual(
          found.preview[0]!["d"],
          new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10),
        )
      }),
      { numRuns: cases(25) },
    )
  })

  it("accepts gaps, single points and empty tables", async () => {
    for (const [name, content] of [
      ["one.csv", "d,v\n2024-01-01,3\n"],
      ["gap.csv", "d,v\n2024-01-01,3\n2024-01-02,\n,4\n2024-01-09,3\n"],
    ] as const) {
      const found = await callTable(
        "detect_anomalies",
        { column: "v" },
        await open(given(name, content)),
      )
      assert.strictEqual(found.rows, 0)
    }
  })
})
