import { existsSync, readFileSync, readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import {
  call,
  callTable,
  failure,
  folder,
  given,
  independently,
  open,
  sales,
} from "../../test/toolCall.ts"

describe("top_n", () => {
  it("keeps the largest rows, overall and per group", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region", "product_category"], metrics: ["revenue"] },
      await open(sales),
    )
    const best = await callTable("top_n", { order_by: "revenue", limit: 3 }, table as never)
    const expected = await independently(
      `SELECT region, product_category FROM '${sales}' GROUP BY ALL ORDER BY sum(revenue) DESC LIMIT 3`,
    )
    assert.deepStrictEqual(
      best.preview.map(({ region, product_category }): JsonObject => ({
        region: region!,
        product_category: product_category!,
      })),
      [...expected],
    )
    const each = await callTable(
      "top_n",
      { order_by: "revenue", limit: 1, order: "asc", within: ["region"] },
      table as never,
    )
    assert.strictEqual(each.rows, 4)
    assert.isTrue(each.preview.every((row) => row["product_category"] === "Toys"))
  })

  it("puts missing values last in both orders", async () => {
    const table = await open(given("top.csv", "a,n\nx,1\ny,\nz,3\n"))
    for (const order of ["asc", "desc"]) {
      const sorted = await callTable("top_n", { order_by: "n", order }, table)
      assert.strictEqual(sorted.preview.at(-1)!["a"], "y")
    }
  })
})

describe("compute_summary_stats", () => {
  it("agrees with an independent query", async () => {
    const stats = await callTable(
      "compute_summary_stats",
      { metrics: ["revenue"] },
      await open(sales),
    )
    const [expected] = await independently(
      `SELECT count(revenue)::DOUBLE AS count, sum(revenue) AS sum, avg(revenue) AS mean, stddev_samp(revenue) AS std, min(revenue) AS min, quantile_cont(revenue, 0.25) AS p25, median(revenue) AS median, quantile_cont(revenue, 0.75) AS p75, max(revenue) AS max FROM '${sales}'`,
    )
    for (const [name, value] of Object.entries(expected!))
      assert.closeTo(
        Number(stats.preview[0]![name]),
        Number(value),
        Math.abs(Number(value)) * 1e-9,
        name,
      )
  })

  it("uses all number columns by default, and counts missing values", async () => {
    const stats = await callTable(
      "compute_summary_stats",
      {},
      await open(given("stats.csv", "a,b,c\n1,x,4\n3,y,\n")),
    )
    assert.deepStrictEqual(
      stats.preview.map((row) => [row["column"], row["count"], row["missing"], row["mean"]]),
      [
        ["a", 2, 0, 2],
        ["c", 1, 1, 4],
      ],
    )
  })
})

describe("compare_periods", () => {
  it("compares the last year with the previous one by region", async () => {
    const compared = await callTable(
      "compare_periods",
      { time_column: "date", metrics: ["revenue"], group_by: ["region"] },
      await open(sales),
    )
    const expected = await independently(
      `SELECT region, sum(revenue) FILTER (year(date) = 2024) AS now, sum(revenue) FILTER (year(date) = 2023) AS before FROM '${sales}' GROUP BY 1 ORDER BY 1`,
    )
    for (const [index, row] of compared.preview.entries()) {
      const [now, before] = [Number(expected[index]!["now"]), Number(expected[index]!["before"])]
      assert.closeTo(Number(row["revenue"]), now, 1e-6)
      assert.closeTo(Number(row["revenue_previous"]), before, 1e-6)
      assert.closeTo(Number(row["revenue_change_percent"]), (100 * (now - before)) / before, 1e-9)
    }
    assert.deepStrictEqual(compared.notes, [
      "Compares 2024-01-01 to 2024-12-31 with 2023-01-01 to 2023-12-31.",
    ])
  })

  it("compares a quarter with the same one a year ago; the percentage of zero is missing", async () => {
    const params = {
      time_column: "date",
      metrics: ["units"],
      current: "2022-Q1",
      against: "year_ago",
    }
    const compared = await callTable("compare_periods", params, await open(sales))
    assert.strictEqual(compared.preview[0]!["units_previous"], null)
    assert.strictEqual(compared.preview[0]!["units_change_percent"], null)
    assert.include(compared.notes![0]!, "2021-01-01 to 2021-03-31")
  })

  it("uses the last complete month, not the current one", async () => {
    const table = await open(given("days.csv", "d,v\n2024-01-10,1\n2024-02-10,2\n2024-03-05,3\n"))
    const compared = await callTable(
      "compare_periods",
      { time_column: "d", metrics: ["v"], time_grain: "month" },
      table,
    )
    assert.deepStrictEqual([compared.preview[0]!["v"], compared.preview[0]!["v_previous"]], [2, 1])
  })
})

describe("parse_datetime", () => {
  it("reads the month first if the format says so", async () => {
    const table = await open(given("codes-dates.csv", "d\nD03-04-2023\nD05-06-2023\n"))
    const parsed = await callTable("parse_datetime", { column: "d", formats: ["D%m-%d-%Y"] }, table)
    assert.deepStrictEqual(parsed.preview, [{ d: "2023-03-04" }, { d: "2023-05-06" }])
    assert.strictEqual(parsed.columns[0]!.type, "date")
  })

  it("keeps dates unchanged and reads whole numbers as years", async () => {
    const table = await open(given("years.csv", "year,d\n2023,2023-05-01\n2024,2024-05-01\n"))
    assert.deepStrictEqual((await callTable("parse_datetime", { column: "d" }, table)).ops, [])
    const years = await callTable("parse_datetime", { column: "year" }, table)
    assert.strictEqual(years.preview[1]!["year"], "2024-01-01")
  })

  it("rejects values that are not dates", async () => {
    const table = await open(given("names.csv", "d\nAnna\nBerta\n"))
    for (const params of [{ column: "d" }, { column: "d", formats: ["%Y"] }]) {
      const error = await failure("parse_datetime", params, { table })
      assert.strictEqual(error.class, "invalid_request")
    }
  })
})

describe("export", () => {
  it.each(["csv", "parquet", "json", "ndjson"])(
    "writes %s that reads back unchanged",
    async (format) => {
      const table = await callTable(
        "aggregate",
        { group_by: ["region"], metrics: ["units"] },
        await open(sales),
      )
      const file = await call(
        "export",
        { format, name: `out-${format}` },
        { table: table as never },
      )
      assert.isTrue(existsSync(String(file["path"])))
      const again = await open(String(file["path"]))
      assert.deepStrictEqual((again["table"] as never as typeof table).preview, table.preview)
    },
  )

  it("writes texts that spreadsheets evaluate as formulas to CSV with an apostrophe", async () => {
    const texts = ["=1+1", "+49 30 123", "-5", "-2 items", "@SUM(A1)", "\t=1", "+1,5 %", "a=b", ""]
    const rows = texts.map((one, index) => `"${one}",${-index}`)
    const table = await open(given("formulas.csv", `=name,n\n${rows.join("\n")}\n`))
    const file = await call("export", { name: "formulas" }, table)
    assert.deepStrictEqual(readFileSync(String(file["path"]), "utf8").trimEnd().split("\n"), [
      "'=name,n",
      "'=1+1,0",
      "'+49 30 123,-1",
      "-5,-2",
      "'-2 items,-3",
      "'@SUM(A1),-4",
      "'\t=1,-5",
      '"+1,5 %",-6',
      "a=b,-7",
      ",-8",
    ])
    const json = await call("export", { name: "formulas", format: "json" }, table)
    assert.include(readFileSync(String(json["path"]), "utf8"), '"=name":"=1+1"')
  })

  it("rejects file names outside the run's folder", async () => {
    const table = await open(sales)
    for (const name of ["../x", "/tmp/x", "a/b", "", "x.csv", "a b"].filter(
      (each) => each !== "",
    )) {
      const error = await failure("export", { name }, { table })
      assert.include(error.message, "a file's name")
    }
    assert.isFalse(readdirSync(folder).includes("x.csv"))
  })
})

describe("a table handle", () => {
  it("works from its JSON after the database is closed", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["units"] },
      await open(sales),
    )
    const { closeSessions } = await import("../duckdb/Session.ts")
    closeSessions()
    const again = await callTable("top_n", { limit: 1 }, JSON.parse(JSON.stringify(table)))
    assert.strictEqual(again.preview[0]!["region"], "North America")
  })

  it("is rejected if its file has changed", async () => {
    const file = given("changing.csv", "a\n1\n")
    const table = await open(file)
    given("changing.csv", "a\n2\n")
    const error = await failure("aggregate", { metrics: ["a"] }, { table })
    assert.include(error.message, "has changed since it was described")
  })

  it("is validated completely before it becomes SQL", async () => {
    const table = (await open(given("check.csv", "a\n1\n")))["table"] as never as {
      source: { columns: Array<object>; dialect: object }
    }
    const forged = [
      { ...table, ops: [{ op: "sql", text: "DROP TABLE x" }] },
      { ...table, ops: [{ op: "top", by: "a", limit: "1; DROP TABLE x", within: [] }] },
      {
        ...table,
        ops: [
          {
            op: "aggregate",
            group_by: [],
            time: null,
            measures: [{ column: "a", agg: "x(); --", as: "a" }],
          },
        ],
      },
      { ...table, source: { ...table.source, columns: [{ name: "a", storage: "INT; DROP" }] } },
      { ...table, source: { ...table.source, format: "csv'); --" } },
      {
        ...table,
        source: { ...table.source, dialect: { ...table.source.dialect, skip: "0) --" } },
      },
      { ...table, source: { ...table.source, path: "https://example.com/x.csv" } },
      { ...table, source: { ...table.source, path: "/etc/passwd" } },
    ]
    for (const each of forged) {
      const error = await failure("aggregate", { agg: "count" }, { table: each as never })
      assert.strictEqual(error.class, "invalid_request", error.message)
    }
  })

  it("has a title that describes its content", async () => {
    const table = await open(sales)
    const title = async (tool: string, params: JsonObject, from: unknown = table) =>
      (await callTable(tool, params, from as never)).title
    const grouped = { group_by: ["region"], metrics: ["revenue", "units"] }
    const series = { ...grouped, time_column: "date", time_grain: "month" }
    assert.deepStrictEqual(
      [
        await title("aggregate", grouped),
        await title("aggregate", series),
        await title("top_n", { order_by: "units", limit: 3, within: ["region"] }),
        await title("compute_summary_stats", { metrics: ["units"] }),
        await title("detect_anomalies", { column: "returns" }),
        await title("compare_periods", {
          time_column: "date",
          metrics: ["units"],
          current: "2024",
        }),
      ],
      [
        "Total revenue and total units by region",
        "Total revenue and total units per month by region",
        "Top 3 by units for each region",
        "Statistics of units",
        "Anomalies in returns",
        "Total units: 2024-01-01 to 2024-12-31 and before",
      ],
    )
  })

  it("contains at most fifty rows", async () => {
    const table = await open(sales)
    assert.strictEqual((table["table"] as { preview: Array<unknown> }).preview.length, 50)
    assert.isBelow(JSON.stringify(table).length, readFileSync(sales).length / 50)
  })
})
