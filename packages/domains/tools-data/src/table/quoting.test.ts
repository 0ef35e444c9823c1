import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { call, callTable, given, open } from "../../test/toolCall.ts"
import type { Table } from "./Table.ts"
import { cases } from "../../../../../.config/cases.ts"

const hostile = [
  '"; drop table x; --',
  "a'b",
  "a''; SELECT 1; --",
  'quo"te',
  "back\\slash",
  "$1",
  "{x}",
  "new\nline",
  "tab\tstop",
  "naïve 🙂",
  "SELECT",
  "a.b[0]",
  "%_",
  "-- comment",
  "/* */",
  "x;y,z",
]

/** Whole Unicode but lone surrogates (UTF-8 has none) and, in CSV, zero bytes. */
const words = fc
  .oneof(fc.constantFrom(...hostile), fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }))
  .filter((text) => text.isWellFormed() && !text.includes("\0"))

const ndjson = (rows: ReadonlyArray<object>): string =>
  rows.map((row) => JSON.stringify(row)).join("\n")

let file = 0
const table = (rows: ReadonlyArray<object>) => open(given(`quoting-${file++}.ndjson`, ndjson(rows)))

describe("names and values in statements", () => {
  it("finds any value again by filter, whatever its column is called", async () => {
    await fc.assert(
      fc.asyncProperty(words, words, words, async (name, value, other) => {
        fc.pre(name.toLowerCase() !== "n" && value !== other)
        // The `x` keeps values from being read as numbers or dates.
        const [kept, left] = [`x${value}`, `x${other}`]
        const opened = await table([
          { [name]: kept, n: 1 },
          { [name]: left, n: 2 },
        ])
        const filtered = await callTable(
          "filter",
          { filters: [{ column: name, op: "=", value: kept }] },
          opened,
        )
        assert.deepStrictEqual(filtered.preview, [{ [name]: kept, n: 1 }])
      }),
      { numRuns: cases(15, 4) },
    )
  })

  it("groups by any value of any column and keeps the sums right", async () => {
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.array(fc.tuple(words, fc.integer({ min: -1000, max: 1000 })), {
          minLength: 1,
          maxLength: 6,
        }),
        async (name, pairs) => {
          fc.pre(name.toLowerCase() !== "n")
          const rows = pairs.map(([value, n]) => ({ [name]: `x${value}`, n }))
          const sums = new Map<string, number>()
          for (const [value, n] of pairs) sums.set(`x${value}`, (sums.get(`x${value}`) ?? 0) + n)
          const grouped = await callTable(
            "aggregate",
            { group_by: [name], metrics: ["n"] },
            await table(rows),
          )
          assert.deepStrictEqual(
            new Map(grouped.preview.map((row) => [String(row[name]), Number(row["n"])])),
            sums,
          )
        },
      ),
      { numRuns: cases(15, 4) },
    )
  })

  it("spreads any values over columns, whatever they and their column are called", async () => {
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.uniqueArray(words, {
          minLength: 1,
          maxLength: 5,
          selector: (word) => word.toLowerCase(),
        }),
        async (name, values) => {
          fc.pre(name.toLowerCase() !== "n" && name.toLowerCase() !== "g")
          const rows = values.map((value, index) => ({ [name]: `x${value}`, n: index, g: "one" }))
          const cross = await callTable(
            "pivot",
            { rows: ["g"], across: name, value: "n" },
            await table(rows),
          )
          const { g, ...cells } = cross.preview[0]!
          assert.strictEqual(g, "one")
          assert.deepStrictEqual(
            new Map(Object.entries(cells)),
            new Map(values.map((value, index) => [`x${value}`, index])),
          )
        },
      ),
      { numRuns: cases(10, 4) },
    )
  })

  it.each(hostile)("does everything with a column called %j", async (name) => {
    const rows = Array.from({ length: 12 }, (_, index) => ({
      [name]: index + 1,
      group: index % 2 === 0 ? name : "other",
      day: `2024-01-${String(index + 1).padStart(2, "0")}`,
    }))
    const opened = await table(rows)
    const grouped = await callTable("aggregate", { group_by: ["group"], metrics: [name] }, opened)
    assert.deepStrictEqual(
      new Map(grouped.preview.map((row) => [row["group"], row[name]])),
      new Map([
        [name, 36],
        ["other", 42],
      ]),
    )
    const best = await callTable("top_n", { order_by: name, limit: 1 }, opened)
    assert.strictEqual(best.preview[0]![name], 12)
    const stats = await callTable(
      "compute_summary_stats",
      { metrics: [name], group_by: ["group"] },
      opened,
    )
    assert.deepStrictEqual(new Set(stats.preview.map((row) => row["column"])), new Set([name]))
    const odd = await callTable(
      "detect_anomalies",
      { column: name, time_column: "day", show: "all" },
      opened,
    )
    assert.strictEqual(odd.rows, 12)
    const compared = await callTable(
      "compare_periods",
      { time_column: "day", metrics: [name], current: "2024-01-02", previous: "2024-01-01" },
      opened,
    )
    assert.deepStrictEqual(Object.values(compared.preview[0]!), [2, 1, 1, 100])
    const cross = await callTable(
      "pivot",
      { rows: ["day"], across: "group", value: name, agg: "max" },
      opened,
    )
    const eleven = cross.preview.find((row) => row["day"] === "2024-01-11")!
    assert.deepStrictEqual(eleven, { day: "2024-01-11", [name]: 11, other: null })
    const across = await callTable("pivot", { rows: ["group"], across: name, agg: "count" }, opened)
    assert.strictEqual(across.preview.find((row) => row["group"] === name)!["11"], 1)
    const joined = (await call(
      "join",
      { on: [name] },
      { left: opened, right: opened },
    )) as unknown as Table
    assert.deepStrictEqual(
      joined.preview.map((row) => row["group_2"]),
      joined.preview.map((row) => row["group"]),
    )
    const smooth = await callTable(
      "moving_average",
      { column: name, time_column: "day", window: 2, group_by: ["group"] },
      opened,
    )
    assert.strictEqual(smooth.preview.at(-1)![`${name}_moving_average`], 11)
    const binned = await callTable("histogram", { column: name, group_by: ["group"] }, opened)
    assert.strictEqual(
      binned.preview.reduce((sum, row) => sum + Number(row["count"]), 0),
      12,
    )
    const ahead = await callTable(
      "forecast_naive",
      { column: name, time_column: "day", horizon: 2, season: 1, show: "all" },
      opened,
    )
    assert.strictEqual(ahead.preview.at(-1)!["forecast"], 12)
    const twice = await callTable(
      "aggregate",
      {
        group_by: ["day"],
        measures: [
          { column: name, agg: "sum" },
          { column: name, agg: "max" },
        ],
      },
      opened,
    )
    for (const form of ["pairs", "matrix"]) {
      const related = await callTable("correlation", { form }, twice as never)
      assert.strictEqual(related.preview[0]!["column"], `${name}_sum`)
    }
    const chart = await callTable("plot_bar", { x: "group", y: [name] }, grouped as never)
    assert.strictEqual(chart.type as string, "chart")
  })
})
