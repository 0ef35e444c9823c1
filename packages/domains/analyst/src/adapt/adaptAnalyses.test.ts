import { describe, expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import type { PlanTemplate } from "@planloom/planning"
import { asking, profile, tools } from "../../test/sales.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { adaptPlan } from "./adaptPlan.ts"

const column = { type: "string" } as const
const columns = { type: "array", items: column } as const

const tool = (name: string, parts: Partial<Tool> & { readonly properties: object }): Tool => ({
  name,
  summary: name,
  capabilities: parts.capabilities ?? [],
  inputs: { table: "table" },
  params: { type: "object", properties: parts.properties, required: [] },
  outputs: parts.outputs ?? ["table"],
  ...(parts.params === undefined ? {} : { params: parts.params }),
})

const chart = { outputs: ["chart"] }
const series = {
  column: { ...column, role: "column" },
  group_by: { ...columns, role: "group_by" },
  time_column: { ...column, role: "time_column" },
  time_grain: { type: "string", enum: ["day", "month", "quarter", "year"], role: "time_grain" },
  agg: { type: "string", enum: ["sum", "avg"], default: "sum", role: "agg" },
}

const analysing: ReadonlyArray<Tool> = [
  ...tools.filter(({ name }) => name !== "plot_histogram" && name !== "plot_bar"),
  tool("plot_bar", {
    capabilities: ["plot", "bar", "stacked_bar", "grouped_bar", "compare"],
    properties: {
      x: { ...column, role: "x" },
      y: { ...column, role: "y" },
      color: { ...column, role: "color" },
      mode: { type: "string", enum: ["grouped", "stacked"], role: "mode" },
    },
    ...chart,
  }),
  tool("correlation", {
    capabilities: ["correlation"],
    properties: { columns: { ...columns, role: "columns" } },
  }),
  tool("plot_scatter", {
    capabilities: ["plot", "scatter", "correlation"],
    properties: {},
    params: {
      type: "object",
      properties: { x: { ...column, role: "x" }, y: { ...column, role: "y" } },
      required: ["x", "y"],
    },
    ...chart,
  }),
  tool("plot_correlation", {
    capabilities: ["plot", "heatmap", "correlation"],
    properties: {},
    params: {
      type: "object",
      properties: { columns: { ...columns, minItems: 3, maxItems: 16, role: "columns" } },
      required: ["columns"],
    },
    ...chart,
  }),
  tool("plot_box", {
    capabilities: ["plot", "box", "distribution"],
    properties: {
      column: { ...column, role: "column" },
      group_by: { ...column, role: "group_by" },
    },
    ...chart,
  }),
  tool("forecast_naive", {
    capabilities: ["forecast"],
    properties: { ...series, horizon: { type: "integer", role: "horizon" } },
  }),
  tool("moving_average", {
    capabilities: ["moving_average"],
    properties: { ...series, window: { type: "integer", role: "window" } },
  }),
]

const template = (
  name: string,
  analysis: string,
  steps: ReadonlyArray<readonly [string, string, string, ReadonlyArray<string>]>,
  more: PlanTemplate["match"] = {},
): PlanTemplate => ({
  name,
  intent: name,
  match: { analysis: [analysis], ...more },
  tools: steps.map(([, by]) => by),
  steps: steps.map(([id, by, from, satisfies]) => ({
    id,
    tool: by,
    inputs: { table: from },
    params: {},
    satisfies,
    optional: false,
  })),
})

const templates: ReadonlyArray<PlanTemplate> = [
  template(
    "comparative",
    "compare",
    [
      ["grouped", "aggregate", "source", ["group_by", "metrics"]],
      ["chart", "plot_bar", "grouped", ["outputs:chart", "group_by"]],
    ],
    { group_by: ["*"] },
  ),
  template("correlation", "correlation", [
    ["correlation", "correlation", "source", ["analysis:correlation", "metrics"]],
    ["scatter", "plot_scatter", "source", ["analysis:correlation", "outputs:chart"]],
    ["matrix", "plot_correlation", "source", ["analysis:correlation", "outputs:chart"]],
  ]),
  template(
    "distribution_grouped",
    "distribution",
    [
      ["summary", "compute_summary_stats", "source", ["analysis:distribution", "group_by"]],
      ["chart", "plot_box", "source", ["analysis:distribution", "group_by"]],
    ],
    { group_by: ["*"] },
  ),
  template("forecast", "forecast", [
    ["forecast", "forecast_naive", "source", ["analysis:forecast", "metrics", "time"]],
  ]),
  template("moving_average", "moving_average", [
    ["series", "aggregate", "source", ["time", "metrics", "group_by"]],
    ["smoothed", "moving_average", "series", ["analysis:moving_average", "window"]],
  ]),
]

const adapt = (parts: Partial<Requirements>) => {
  const made = adaptPlan({ templates, requirements: asking(parts), tools: analysing, profile })
  return { ...made, steps: made.plan.steps.map(({ tool: by, params }) => [by, params] as const) }
}

describe("plans for analyses", () => {
  it("draw two numbers as a scatter plot and three as a matrix", () => {
    const two = adapt({ metrics: ["units", "revenue"], analysis: ["correlation"] })
    expect(two.ok).toBe(true)
    expect(two.steps).toEqual([
      ["correlation", { columns: ["units", "revenue"] }],
      ["plot_scatter", { x: "units", y: "revenue" }],
    ])
    const three = adapt({ metrics: ["units", "revenue", "returns"], analysis: ["correlation"] })
    expect(three.ok).toBe(true)
    expect(three.steps.map(([by]) => by)).toEqual(["correlation", "plot_correlation"])
  })

  it("correlate one number with all others, and all numbers if none is named", () => {
    const one = adapt({ metrics: ["returns"], analysis: ["correlation"] })
    expect(one.ok).toBe(true)
    expect(one.steps[0]).toEqual(["correlation", { columns: ["returns", "revenue", "units"] }])
    const all = adapt({ analysis: ["correlation"] })
    expect(all.steps[0]?.[1]).toEqual({ columns: ["revenue", "units", "returns"] })
  })

  it("compare distributions of groups by box plots over raw rows", () => {
    const { ok, steps, plan } = adapt({
      metrics: ["revenue"],
      group_by: ["region"],
      analysis: ["distribution"],
      outputs: ["chart"],
    })
    expect(ok).toBe(true)
    expect(steps.at(-1)).toEqual(["plot_box", { column: "revenue", group_by: "region" }])
    expect(plan.steps.at(-1)?.inputs).toEqual({ table: "source" })
  })

  it("forecast over the requested horizon", () => {
    const { ok, steps } = adapt({
      metrics: ["revenue"],
      time: { column: "date", grain: "month" },
      analysis: ["forecast"],
      constraints: [{ kind: "horizon", n: 6 }],
    })
    expect(ok).toBe(true)
    expect(steps).toEqual([
      [
        "forecast_naive",
        { column: "revenue", time_column: "date", time_grain: "month", agg: "sum", horizon: 6 },
      ],
    ])
  })

  it("average over the requested window", () => {
    const { ok, steps } = adapt({
      metrics: ["revenue"],
      time: { column: "date", grain: "month" },
      analysis: ["moving_average"],
      constraints: [{ kind: "window", n: 3 }],
    })
    expect(ok).toBe(true)
    expect(steps.map(([by]) => by)).toEqual(["aggregate", "moving_average"])
    expect(steps[1]?.[1]).toMatchObject({ window: 3 })
  })

  it("stack bars if stacked bars are requested", () => {
    const { ok, steps } = adapt({
      metrics: ["revenue"],
      group_by: ["region", "product_category"],
      outputs: ["chart"],
      constraints: [{ kind: "chart_type", chart: "stacked_bar" }],
    })
    expect(ok).toBe(true)
    expect(steps.at(-1)).toEqual([
      "plot_bar",
      { x: "region", y: "revenue", color: "product_category", mode: "stacked" },
    ])
  })
})
