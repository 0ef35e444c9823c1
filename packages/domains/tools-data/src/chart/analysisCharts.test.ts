import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { call, callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"
import type { Chart } from "./Chart.ts"
import { palette } from "./theme.ts"

const draw = async (tool: string, params: JsonObject, table: unknown) =>
  (await call(tool, params, { table: table as never })) as unknown as Chart

const texts = ({ svg }: Chart): ReadonlyArray<string> =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!)

const count = ({ svg }: Chart, part: string): number => svg.split(part).length - 1

const harmless = ({ svg }: Chart): void => {
  assert.notMatch(svg, /<script|href=|<image|foreignObject|\bon\w+=/)
  assert.notInclude(svg, 'fill="white"')
}

const evil = '<b>"; drop table x; --'
const hostile = () =>
  open(
    given(
      "evil-charts.ndjson",
      Array.from({ length: 30 }, (_, index) =>
        JSON.stringify({
          [evil]: index,
          "datum['x']": (index * 7) % 13,
          "a.b[0]": index % 5,
          [`${evil} group`]: index % 2 === 0 ? evil : null,
          day: `2024-01-${String(index + 1).padStart(2, "0")}`,
        }),
      ).join("\n"),
    ),
  )

describe("plot_histogram", () => {
  it("draws one bar per interval, with readable numbers on both axes", async () => {
    const chart = await draw("plot_histogram", { column: "revenue" }, await open(sales))
    const words = texts(chart)
    for (const word of ["Distribution of revenue", "Revenue", "Number of rows", "1,600", "10k"])
      assert.include(words, word)
    assert.strictEqual(
      count(chart, 'aria-roledescription="bar"') || count(chart, `fill="${palette[0]}"`),
      29,
    )
    assert.include(chart.notes!.join(" "), "are not shown")
    harmless(chart)
  })

  it("says that no value lies in its range", async () => {
    const table = await open(given("stars.csv", "n\n1\n2\n2\n3\n5\n"))
    for (const range of [
      { from: 100, to: 200 },
      { from: -9, to: -1 },
    ]) {
      const error = await failure("plot_histogram", { column: "n", ...range }, { table })
      assert.strictEqual(error.message, 'no value of "n" lies in the drawn range')
      assert.strictEqual(error.class, "invalid_request")
    }
  })

  it("centers the bar of a whole number on that number", async () => {
    const table = await open(given("stars.csv", "n\n1\n2\n2\n3\n5\n"))
    const words = texts(await draw("plot_histogram", { column: "n" }, table))
    for (const word of ["1", "2", "3", "4", "5"]) assert.include(words, word)
    assert.notInclude(words, "1.5")
  })

  it("draws a panel per group with its shares, and rejects too many groups", async () => {
    const words = texts(
      await draw("plot_histogram", { column: "revenue", group_by: "region" }, await open(sales)),
    )
    for (const word of ["Latin America", "Share in %"]) assert.include(words, word)
    const rows = Array.from({ length: 20 }, (_, index) => `g${index},${index}`).join("\n")
    const table = await open(given("many-panels.csv", `g,n\n${rows}\n`))
    const error = await failure("plot_histogram", { column: "n", group_by: "g" }, { table })
    assert.include(error.message, "at most 12 panels")
  })
})

describe("plot_box", () => {
  it("agrees with DuckDB's quartiles, highest median first", async () => {
    const chart = await draw(
      "plot_box",
      { column: "revenue", group_by: "region" },
      await open(sales),
    )
    const rows = await independently(
      `SELECT region, round(quantile_cont(revenue, 0.25), 2) AS a, round(median(revenue), 2) AS m, round(quantile_cont(revenue, 0.75), 2) AS b FROM '${sales}' GROUP BY 1 ORDER BY m DESC`,
    )
    const formatted = (value: unknown) =>
      Number(value).toLocaleString("en-US", { maximumFractionDigits: 2 })
    const words = rows.map(
      ({ region, a, m, b }) =>
        `${String(region)}: median ${formatted(m)}, half of the values from ${formatted(a)} to ${formatted(b)}`,
    )
    assert.include(chart.alt, words.join("; "))
    harmless(chart)
  })

  it("always draws the furthest outlier, and limits the others", async () => {
    const values = [
      ...Array.from({ length: 1000 }, (_, index) => index % 10),
      ...Array.from({ length: 150 }, (_, index) => 100 + index),
    ]
    const chart = await draw(
      "plot_box",
      { column: "n" },
      await open(given("far.csv", `n\n${values.join("\n")}\n`)),
    )
    const dots = count(chart, 'stroke-width="2"')
    assert.isBelow(dots, 100)
    assert.include(chart.notes!.join(" "), "dots")
    assert.include(texts(chart), "250")
  })

  it("names missing groups, and rejects a column without values", async () => {
    const table = await open(given("box-gaps.csv", "g,n\na,1\n,2\nb,\n"))
    assert.include(
      texts(await draw("plot_box", { column: "n", group_by: "g" }, table)),
      "(missing)",
    )
    const none = await callTable("filter", { filters: [{ column: "n", op: ">", value: 9 }] }, table)
    assert.include(
      (await failure("plot_box", { column: "n" }, { table: none as never })).message,
      "no values",
    )
  })
})

describe("plot_scatter", () => {
  it("reports slope and r of all rows, and the number of drawn dots", async () => {
    const chart = await draw("plot_scatter", { x: "units", y: "revenue" }, await open(sales))
    const [expected] = await independently(
      `SELECT regr_slope(revenue, units) AS slope, corr(revenue, units) AS r FROM '${sales}'`,
    )
    const notes = chart.notes!.join(" ")
    assert.include(notes, `${Number(expected!["slope"]).toFixed(2)} revenue per units`)
    assert.include(notes, `r = ${Number(expected!["r"]).toFixed(2)}`)
    assert.include(notes, "2,000 of 17,508 rows")
    assert.include(texts(chart), "Revenue against units")
    harmless(chart)
  })

  it("draws a deterministic sample", async () => {
    const params = { x: "units", y: "revenue", color: "region" }
    const once = await draw("plot_scatter", params, await open(sales))
    assert.strictEqual((await draw("plot_scatter", params, await open(sales))).svg, once.svg)
  })

  it("draws no line through a constant, and rejects rows without both numbers", async () => {
    const table = await open(given("scatter-const.csv", "a,b,c\n1,7,\n2,7,\n,8,1\n"))
    const flat = await draw("plot_scatter", { x: "b", y: "a" }, table)
    assert.isUndefined(flat.notes)
    const error = await failure("plot_scatter", { x: "a", y: "c" }, { table })
    assert.include(error.message, "no row has both")
  })
})

describe("plot_heatmap", () => {
  it("draws one labeled cell per pair", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region", "product_category"], metrics: ["revenue"] },
      await open(sales),
    )
    const chart = await draw(
      "plot_heatmap",
      { x: "region", y: "product_category", value: "revenue" },
      table,
    )
    for (const word of ["10.7M", "1.07M", "Toys", "Total revenue by region and product category"])
      assert.include(texts(chart), word)
    harmless(chart)
  })

  it("draws a cross table in the order of its columns", async () => {
    const table = await callTable(
      "pivot",
      { rows: ["a"], across: "b", value: "n" },
      await open(given("heat-cross.csv", "a,b,n\nx,p,1\nx,q,-2\ny,p,3\n")),
    )
    const chart = await draw("plot_heatmap", {}, table)
    const words = texts(chart)
    assert.isBelow(words.indexOf("p"), words.indexOf("q"))
    assert.include(chart.notes!.join(" "), "below zero")
    assert.include(chart.alt, "from -2 (x, q) to 3 (y, p)")
  })

  it("rejects raw rows, a single grouping and missing values", async () => {
    const raw = await failure(
      "plot_heatmap",
      { x: "region", y: "product_category", value: "revenue" },
      { table: await open(sales) },
    )
    assert.include(raw.message, "aggregate")
    const single = await open(given("heat-one.csv", "a,n\nx,1\n"))
    assert.include((await failure("plot_heatmap", {}, { table: single })).message, "two columns")
  })
})

describe("plot_correlation", () => {
  it("labels each cell with r", async () => {
    const chart = await draw(
      "plot_correlation",
      { columns: ["revenue", "units", "returns"] },
      await open(sales),
    )
    const [expected] = await independently(`SELECT corr(units, returns) AS r FROM '${sales}'`)
    const r = Number(expected!["r"]).toFixed(2)
    assert.strictEqual(texts(chart).filter((word) => word === r).length, 2)
    assert.strictEqual(texts(chart).filter((word) => word === "1.00").length, 3)
    harmless(chart)
  })
})

describe("plot_forecast", () => {
  it("draws the result of forecast_naive for the same arguments", async () => {
    const params = { column: "revenue", horizon: 3, time_grain: "month" }
    const chart = await draw("plot_forecast", params, await open(sales))
    const table = await callTable("forecast_naive", params, await open(sales))
    for (const row of table.preview)
      assert.include(
        chart.alt,
        `${String(row["date"])}: ${Number(row["forecast"]).toLocaleString("en-US", { maximumFractionDigits: 2 })}`,
      )
    for (const word of ["actual", "forecast", "Total revenue"]) assert.include(texts(chart), word)
    harmless(chart)
  })

  it("draws a panel per group", async () => {
    const chart = await draw(
      "plot_forecast",
      { column: "revenue", horizon: 2, time_grain: "quarter", group_by: ["region"] },
      await open(sales),
    )
    for (const word of ["Asia Pacific", "Latin America"]) assert.include(texts(chart), word)
  })
})

describe("plot_line with a window", () => {
  it("draws the moving average over the line, with a note", async () => {
    const table = await callTable(
      "aggregate",
      { metrics: ["revenue"], time_column: "date", time_grain: "month" },
      await open(sales),
    )
    const chart = await draw("plot_line", { x: "date", y: "revenue", window: 3 }, table)
    assert.deepStrictEqual(chart.notes, ["Bold: average of the last 3 points."])
    assert.strictEqual(count(chart, "mark-line role-mark"), 2)
  })
})

describe("charts of analyses", () => {
  it("accept any column name and value", async () => {
    const table = await hostile()
    const group = `${evil} group`
    const grouped = await callTable(
      "aggregate",
      { group_by: [group, "a.b[0]"], metrics: [evil] },
      table,
    )
    const charts = [
      await draw("plot_histogram", { column: evil, group_by: group }, table),
      await draw("plot_box", { column: evil, group_by: group }, table),
      await draw("plot_scatter", { x: evil, y: "datum['x']", color: group }, table),
      await draw("plot_correlation", { columns: [evil, "datum['x']", "a.b[0]"] }, table),
      await draw("plot_heatmap", { x: group, y: "a.b[0]", value: evil }, grouped),
      await draw(
        "plot_forecast",
        { column: evil, group_by: [group], horizon: 2, season: 1 },
        table,
      ),
    ]
    for (const chart of charts) {
      harmless(chart)
      assert.notInclude(chart.svg, "<b>")
      assert.include(texts(chart).join(" "), "&lt;b&gt;")
    }
  })
})
