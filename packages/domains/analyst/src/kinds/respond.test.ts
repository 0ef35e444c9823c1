import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { makeContext, runKind } from "../../../../components/stage-kit/test/context.ts"
import type { Given } from "../../../../components/stage-kit/test/context.ts"
import { asking, table, tools } from "../../../../components/stages/test/sales.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { respond } from "./respond.ts"

const plan = (
  ...steps: ReadonlyArray<readonly [id: string, tool: string, from?: string, params?: JsonObject]>
): Json => ({
  steps: steps.map(([id, tool, from, params]) => ({
    id,
    tool,
    inputs: { table: from ?? "source" },
    params: params ?? {},
    satisfies: [],
  })),
})

const answer = (
  steps: JsonObject,
  made: Json,
  parts: Partial<Requirements>,
  given: Given = {},
  strategy: "model" | "mechanical" = "mechanical",
  more: { readonly notes?: ReadonlyArray<string>; readonly repairs?: ReadonlyArray<Json> } = {},
) => {
  const recorded = makeContext({ tools, ...given })
  const input = {
    question: "How much?",
    results: { steps, order: Object.keys(steps), failed: [], repairs: more.repairs ?? [] },
    requirements: asking(parts),
    plan: made,
    notes: more.notes ?? [],
  }
  return Effect.map(runKind(respond, strategy, input, recorded), (output) => ({ output, recorded }))
}

const revenue = ["revenue", "number", "total revenue"] as const
const byRegion = table(
  [["region", "string"], revenue],
  [
    ["North", 1234.5],
    ["South", 99],
    ["East", null],
  ],
)
const monthly = table(
  [["date", "date", "date", "month"], ["region", "string"], revenue],
  [
    ["2024-01-01", "North", 100],
    ["2024-01-01", "South", 40],
    ["2024-02-01", "North", 150],
    ["2024-02-01", "South", 10],
  ],
)

describe("respond", () => {
  it.effect("lists conditions, corrected names, and notes on the columns that are used", () =>
    Effect.gen(function* () {
      const columns = ["region", "revenue", "units"].map((name) => ({ name, storage: "VARCHAR" }))
      const given = { ...(byRegion as JsonObject), source: { columns }, rows: 1200 }
      const filters = [{ column: "region", op: "in", value: ["North", "South"] }]
      const made = plan(["kept", "filter", "source", { filters }], ["totals", "aggregate", "kept"])
      const { output } = yield* answer(
        { kept: given, totals: byRegion },
        made,
        { metrics: ["revenue"], group_by: ["region"] },
        {},
        "mechanical",
        {
          notes: ["The first line was skipped.", "revenue: 3 values.", "units: 2 values."],
          repairs: [{ step: "totals", rule: "column_name", from: "Revenue", to: "revenue" }],
        },
      )
      assert.deepStrictEqual((output as JsonObject).caveats, [
        "The first line was skipped.",
        "revenue: 3 values.",
        "Only rows where region in North, South count: 1,200 rows",
        '"Revenue" in the plan was read as "revenue"',
      ])
    }),
  )

  it.effect("says how many rows of a table are shown if some are left out", () =>
    Effect.gen(function* () {
      const cut = { ...(byRegion as JsonObject), rows: 1400 }
      const made = plan(["totals", "aggregate"])
      const { output } = yield* answer({ totals: cut }, made, { metrics: ["revenue"] })
      assert.deepStrictEqual((output as JsonObject).caveats, [
        "The table shows the first 3 of 1,400 rows",
      ])
    }),
  )

  it.effect("answers one number with one sentence", () =>
    Effect.gen(function* () {
      const { output } = yield* answer(
        { total: table([revenue], [[1234567.891]]) },
        plan(["total", "aggregate"]),
        { metrics: ["revenue"] },
      )
      assert.strictEqual(output.text, "Total revenue: 1,234,567.89.")
    }),
  )

  it.effect("lists groups with the highest first, and missing values as (missing)", () =>
    Effect.gen(function* () {
      const { output } = yield* answer({ grouped: byRegion }, plan(["grouped", "aggregate"]), {
        metrics: ["revenue"],
        group_by: ["region"],
      })
      assert.strictEqual(
        output.text,
        "Total revenue by region, highest first: North 1,234.50; South 99 and 1 more.",
      )
      assert.deepStrictEqual(output.table, byRegion)
      assert.isNull(output.chart)
    }),
  )

  it.effect("describes the first and last value of each series with the change", () =>
    Effect.gen(function* () {
      const { output } = yield* answer({ series: monthly }, plan(["series", "aggregate"]), {
        metrics: ["revenue"],
        group_by: ["region"],
        time: { column: "date", grain: "month" },
      })
      assert.deepStrictEqual(String(output.text).split("\n"), [
        "Total revenue by month and region:",
        "- North went from 100 in Jan 2024 to 150 in Feb 2024 (+50 %).",
        "- South went from 40 in Jan 2024 to 10 in Feb 2024 (−75 %).",
        "- Highest total revenue: 150 (Feb 2024, North).",
        "- Lowest total revenue: 10 (Feb 2024, South).",
      ])
    }),
  )

  it.effect("calls a ranking tool for rows outside a long table's preview", () =>
    Effect.gen(function* () {
      const long = { ...byRegion, rows: 500 }
      const call: Given["call"] = ({ params }) =>
        params.order === "desc"
          ? table(
              [["region", "string"], revenue],
              [
                ["Far", 9000],
                ["Near", 8000],
              ],
            )
          : table([["region", "string"], revenue], [["Small", 1]])
      const { output, recorded } = yield* answer(
        { grouped: long },
        plan(["grouped", "aggregate"]),
        { metrics: ["revenue"], group_by: ["region"] },
        { call },
      )
      assert.strictEqual(
        output.text,
        "Total revenue by region, highest first: Far 9,000; Near 8,000 and 498 more.\nLowest: Small with 1.\nNote: The table shows the first 3 of 500 rows.",
      )
      assert.deepStrictEqual(recorded.calls[0]?.params, {
        order_by: "revenue",
        order: "desc",
        limit: 5,
      })
    }),
  )

  it.effect("lists the ranked rows instead of the groups they come from", () =>
    Effect.gen(function* () {
      const { output } = yield* answer(
        { grouped: byRegion, best: table([["region", "string"], revenue], [["North", 1234.5]]) },
        plan(["grouped", "aggregate"], ["best", "top_n", "grouped"]),
        { metrics: ["revenue"], group_by: ["region"], analysis: ["ranking"] },
      )
      assert.strictEqual(output.text, "1. North: 1,234.50")
    }),
  )

  it.effect("lists anomalies, or states that none were found", () =>
    Effect.gen(function* () {
      const columns = [["date", "date", "date", "month"], revenue, ["expected", "number"]] as const
      const made = plan(["odd", "detect_anomalies", "source", { column: "revenue" }])
      const some = yield* answer({ odd: table(columns, [["2024-03-01", 7, 50.25]]) }, made, {
        metrics: ["revenue"],
      })
      assert.strictEqual(
        some.output.text,
        "1 anomaly found in total revenue:\n- Mar 2024: 7, expected about 50.25",
      )
      const none = yield* answer({ odd: table(columns, []) }, made, { metrics: ["revenue"] })
      assert.strictEqual(none.output.text, "No anomalies found in total revenue.")
    }),
  )

  it.effect("adds caveats: unknown words, assumptions and failed steps", () =>
    Effect.gen(function* () {
      const output = yield* runKind(
        respond,
        "mechanical",
        {
          question: "?",
          results: {
            steps: { grouped: byRegion },
            order: ["grouped"],
            failed: [{ step: "chart", tool: "plot_bar", message: "too many bars" }],
          },
          requirements: asking({ metrics: ["revenue"], group_by: ["region"], unknown: ["profit"] }),
          plan: plan(["grouped", "aggregate"]),
          notes: ['"sales" read as revenue'],
        },
        makeContext({ tools }),
      )
      assert.deepStrictEqual(String(output.text).split("\n").slice(1), [
        "Not answered, because the data has nothing for it: profit.",
        'Note: "sales" read as revenue.',
        "Note: chart failed: too many bars.",
      ])
    }),
  )

  it.effect("states that a total over no rows has no value", () =>
    Effect.gen(function* () {
      const output = yield* runKind(
        respond,
        "mechanical",
        {
          question: "?",
          results: {
            steps: { grouped: table([revenue], [[null]]) },
            order: ["grouped"],
          },
          requirements: asking({ metrics: ["revenue"] }),
          plan: plan(["grouped", "aggregate"]),
        },
        makeContext({ tools }),
      )
      assert.strictEqual(output.text, "There is no total revenue: no row that matches has a value.")
    }),
  )

  it.effect("states that no rows match, without the failure of the chart", () =>
    Effect.gen(function* () {
      const output = yield* runKind(
        respond,
        "mechanical",
        {
          question: "?",
          results: {
            steps: { grouped: table([["region", "string"], revenue], []) },
            order: ["grouped"],
            failed: [{ step: "chart", tool: "plot_bar", message: "no rows to draw" }],
          },
          requirements: asking({ metrics: ["revenue"], group_by: ["region"] }),
          plan: plan(["grouped", "aggregate"]),
        },
        makeContext({ tools }),
      )
      assert.strictEqual(output.text, "No rows match the question.")
    }),
  )

  it.effect("says that a kind of chart was asked for and not drawn", () =>
    Effect.gen(function* () {
      const bars = { type: "chart", svg: "<svg/>", alt: "Bar chart of revenue" }
      const drawn = (chart: string) =>
        answer(
          { grouped: byRegion, chart: bars },
          plan(["grouped", "aggregate"], ["chart", "plot_bar", "grouped"]),
          { metrics: ["revenue"], constraints: [{ kind: "chart_type", chart }] },
        )
      const line = yield* drawn("line")
      assert.deepStrictEqual(line.output.caveats, [
        "No line chart was drawn, because no step of the plan draws one",
      ])
      assert.include(String(line.output.text), "No line chart was drawn")
      assert.deepStrictEqual((yield* drawn("bar")).output.caveats, [])
    }),
  )

  it.effect("returns the charts, and no table if tables are excluded", () =>
    Effect.gen(function* () {
      const chart = { type: "chart", svg: "<svg/>" }
      const { output } = yield* answer(
        { grouped: byRegion, chart },
        plan(["grouped", "aggregate"], ["chart", "plot_bar", "grouped"]),
        {
          metrics: ["revenue"],
          group_by: ["region"],
          constraints: [{ kind: "exclude", output: "table" }],
        },
      )
      assert.deepStrictEqual(output.chart, chart)
      assert.isNull(output.table)
    }),
  )

  it.effect(
    "lets a model write from the facts, and records numbers that occur in none of them",
    () =>
      Effect.gen(function* () {
        const reply = "North leads with about 1,235, far ahead of South (99). Growth was 47.3 %."
        const { output, recorded } = yield* answer(
          { grouped: byRegion },
          plan(["grouped", "aggregate"]),
          { metrics: ["revenue"], group_by: ["region"] },
          { replies: [reply] },
          "model",
        )
        const mark = "Not in the results, so not to be relied on: 47.3"
        assert.strictEqual(output.text, `${reply}\n${mark}.`)
        assert.deepStrictEqual(output.caveats, [mark])
        assert.deepStrictEqual(recorded.notes, [
          { note: "unverified_numbers", data: ["47.3"] },
          { note: "summary", data: "answer of 2 lines, table of 3 rows" },
        ])
        const content = String(recorded.asks[0]?.messages[0]?.content)
        assert.include(content, "Total revenue by region, highest first: North 1,234.5")
      }),
  )
})
