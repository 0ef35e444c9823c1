import { existsSync, readFileSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { toolSourceSuite } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { folder, given, open } from "../test/toolCall.ts"
import plugin, { source } from "./index.ts"

const catalogPath = fileURLToPath(new URL("../../../../catalog/data.yaml", import.meta.url))
const catalog = parse(readFileSync(catalogPath, "utf8")) as {
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly capabilities: ReadonlyArray<string>
    readonly summary: string
    readonly group: string
    readonly examples: ReadonlyArray<string>
    readonly when_to_use: string
  }>
}

const small = () =>
  given("small.csv", "region,date,n\nA,2024-01-01,1\nB,2024-01-01,2\nA,2024-02-01,3\n")
const onTable = async () => ({ table: await open(small()) })
const onSeries = async () => {
  const { call } = await import("../test/toolCall.ts")
  return {
    table: await call(
      "aggregate",
      { group_by: ["region"], metrics: ["n"], time_column: "date" },
      await onTable(),
    ),
  }
}

toolSourceSuite(
  { describe, it },
  source,
  [
    { name: "a file", tool: "describe", params: { path: small() } },
    {
      name: "no file",
      tool: "describe",
      params: { path: `${folder}/nowhere.csv` },
      fails: "tool_error",
    },
    { name: "rows of a table", tool: "rows", params: { limit: 2 }, inputs: onTable },
    { name: "dates", tool: "parse_datetime", params: { column: "date" }, inputs: onTable },
    {
      name: "a condition",
      tool: "filter",
      params: { filters: [{ column: "n", op: ">", value: 1 }] },
      inputs: onTable,
    },
    {
      name: "an unknown column",
      tool: "filter",
      params: { filters: [{ column: "m", op: "=", value: 1 }] },
      inputs: onTable,
      fails: "invalid_request",
    },
    {
      name: "groups",
      tool: "aggregate",
      params: { group_by: ["region"], metrics: ["n"] },
      inputs: onTable,
    },
    { name: "no table", tool: "aggregate", params: { metrics: ["n"] }, fails: "invalid_request" },
    { name: "ranks", tool: "top_n", params: { order_by: "n", limit: 1 }, inputs: onTable },
    { name: "statistics", tool: "compute_summary_stats", params: {}, inputs: onTable },
    {
      name: "a series",
      tool: "detect_anomalies",
      params: { column: "n", group_by: ["region"] },
      inputs: onSeries,
    },
    {
      name: "two months",
      tool: "compare_periods",
      params: { time_column: "date", metrics: ["n"], time_grain: "month" },
      inputs: onTable,
    },
    {
      name: "a cross table",
      tool: "pivot",
      params: { rows: ["region"], across: "date", value: "n" },
      inputs: onTable,
    },
    {
      name: "two tables",
      tool: "join",
      params: { on: ["region", "date"] },
      inputs: async () => ({ left: await open(small()), right: await open(small()) }),
    },
    {
      name: "one table alone",
      tool: "join",
      params: {},
      inputs: onTable,
      fails: "invalid_request",
    },
    { name: "smoothing", tool: "moving_average", params: { window: 2 }, inputs: onTable },
    { name: "intervals", tool: "histogram", params: { column: "n" }, inputs: onTable },
    {
      name: "one number alone",
      tool: "correlation",
      params: {},
      inputs: onTable,
      fails: "invalid_request",
    },
    { name: "the next month", tool: "forecast_naive", params: { horizon: 1 }, inputs: onTable },
    { name: "lines", tool: "plot_line", params: { color: "region" }, inputs: onSeries },
    {
      name: "bars",
      tool: "plot_bar",
      params: { x: "region", y: ["n"], color: "date" },
      inputs: onSeries,
    },
    { name: "intervals drawn", tool: "plot_histogram", params: { column: "n" }, inputs: onTable },
    {
      name: "boxes",
      tool: "plot_box",
      params: { column: "n", group_by: "region" },
      inputs: onTable,
    },
    { name: "dots", tool: "plot_scatter", params: { x: "n", y: "n" }, inputs: onTable },
    {
      name: "tiles",
      tool: "plot_heatmap",
      params: { x: "date", y: "region", value: "n" },
      inputs: onSeries,
    },
    {
      name: "two columns only",
      tool: "plot_correlation",
      params: { columns: ["n", "m"] },
      inputs: onTable,
      fails: "invalid_request",
    },
    { name: "a line ahead", tool: "plot_forecast", params: { horizon: 2 }, inputs: onTable },
    { name: "a page", tool: "render_report", params: { question: "q", answer: "a" } },
    {
      name: "a file of rows",
      tool: "export",
      params: { format: "csv", name: "conformance" },
      inputs: onTable,
    },
  ],
  { workspace: `${folder}/conformance`, roots: [folder] },
)

describe("the plugin", () => {
  it("contributes the tool source", () => {
    assert.deepStrictEqual(plugin.components?.tools, [source])
  })

  it("loads the database and the charts lazily", () => {
    const eager = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) =>
        /^import (?!type).*from "(@duckdb|vega)/m.test(
          readFileSync(new URL(name, import.meta.url), "utf8"),
        ),
      )
    assert.deepStrictEqual(eager, [])
  })
})

describe("catalog/data.yaml", () => {
  it("lists exactly the tools of the source", () => {
    const listed = Effect.runSync(source.list).tools.map(({ name }) => name)
    assert.deepStrictEqual(catalog.tools.map(({ name }) => name).toSorted(), listed.toSorted())
  })

  it("contains only tools that write nothing outside the run", () => {
    for (const { effect, idempotent, name } of Effect.runSync(source.list).tools) {
      assert.strictEqual(effect, name === "render_report" ? "none" : "read", name)
      assert.isTrue(idempotent, name)
    }
  })

  it("agrees with the source on each tool and adds examples", () => {
    for (const tool of Effect.runSync(source.list).tools) {
      const entry = catalog.tools.find(({ name }) => name === tool.name)!
      assert.deepStrictEqual(entry.capabilities, tool.capabilities, tool.name)
      assert.strictEqual(entry.group, tool.group, tool.name)
      assert.isAtLeast(entry.examples.length, 5, tool.name)
      assert.isAbove(entry.when_to_use.length, 20, tool.name)
    }
  })

  it("has a TOOL.md for each tool that names its parameters", () => {
    for (const { name, params } of Effect.runSync(source.list).tools) {
      const file = new URL(`../../../../catalog/data/${name}/TOOL.md`, import.meta.url)
      assert.isTrue(existsSync(file), name)
      const text = readFileSync(file, "utf8")
      assert.isTrue(text.startsWith(`# ${name}\n`))
      const own = Object.keys((params as { properties: object }).properties)
      if (name !== "plot_bar")
        for (const param of own) assert.include(text, `\`${param}\``, `${name}: ${param}`)
    }
  })

  it("documents no removed tool", () => {
    assert.deepStrictEqual(
      readdirSync(new URL("../../../../catalog/data", import.meta.url)).toSorted(),
      catalog.tools.map(({ name }) => name).toSorted(),
    )
  })
})

describe("roles of parameters", () => {
  it("are known to planning or a path of the user", () => {
    const known = [
      "metrics",
      "column",
      "columns",
      "group_by",
      "agg",
      "time_column",
      "time_grain",
      "x",
      "y",
      "color",
      "facet",
      "filters",
      "limit",
      "order",
      "order_by",
      "horizon",
      "window",
      "mode",
      "title",
      "part",
      "having",
      "time_part",
      "result",
      "path",
    ]
    const used = Effect.runSync(source.list).tools.flatMap(({ params }) =>
      Object.values((params as { properties: { [name: string]: { role?: string } } }).properties),
    )
    const roles = used.flatMap(({ role }) => (role === undefined ? [] : [role]))
    assert.deepStrictEqual(
      [...new Set(roles)].filter((role) => !known.includes(role)),
      [],
    )
  })

  it("reserve file parameters for the user", () => {
    const paths = Effect.runSync(source.list).tools.flatMap(({ name, params }) =>
      Object.entries((params as { properties: object }).properties).flatMap(([param]) =>
        /path|file|url/.test(param) ? [`${name}.${param}`] : [],
      ),
    )
    assert.deepStrictEqual(paths, ["describe.path", "rows.path"])
  })
})
