/** A sales table and tools for it, as planning sees them: what its tests plan over. */
import type { DataProfile } from "@planloom/tables"
import type { Tool } from "@planloom/plugin/effect"
import type { PlanTemplate } from "@planloom/planning"
import { noRequirements } from "../src/requirements/Requirements.ts"
import type { Requirements } from "../src/requirements/Requirements.ts"

export const profile: DataProfile = {
  rows: 4000,
  columns: [
    { name: "region", type: "string", distinct: ["North", "South", "East", "West"] },
    {
      name: "product_category",
      type: "string",
      distinct: ["Electronics", "Furniture", "Office Supplies", "Toys"],
    },
    { name: "date", type: "date", min: "2022-01-01", max: "2024-12-31" },
    { name: "revenue", type: "number", min: 3.5, max: 9800.25 },
    { name: "units", type: "integer", min: 1, max: 240 },
    { name: "returns", type: "integer", min: 0, max: 30, nulls: 12 },
  ],
}

const columns = { type: "array", items: { type: "string" } } as const
const column = { type: "string" } as const
const grain = { type: "string", enum: ["day", "week", "month", "quarter", "year"] } as const

const tool = (
  name: string,
  capabilities: ReadonlyArray<string>,
  properties: { readonly [name: string]: unknown },
  more: {
    readonly required?: ReadonlyArray<string>
    readonly outputs?: ReadonlyArray<string>
  } = {},
): Tool => ({
  name,
  summary: `${name} over a table`,
  capabilities,
  effect: "read",
  inputs: { table: "table" },
  params: {
    type: "object",
    additionalProperties: false,
    required: more.required ?? [],
    properties,
  },
  outputs: more.outputs ?? ["table"],
})

const chart = { outputs: ["chart"] }

export const tools: ReadonlyArray<Tool> = [
  tool(
    "filter",
    ["filter"],
    {
      filters: {
        type: "array",
        minItems: 1,
        role: "filters",
        items: {
          type: "object",
          required: ["column", "op"],
          additionalProperties: false,
          properties: { column, op: { type: "string" }, value: {} },
        },
      },
    },
    { required: ["filters"] },
  ),
  tool("aggregate", ["aggregate", "group_by", "summarize", "compare", "time_series"], {
    group_by: { ...columns, role: "group_by" },
    metrics: { ...columns, role: "metrics" },
    agg: {
      type: "string",
      enum: ["sum", "avg", "min", "max", "count", "median", "count_distinct"],
      default: "sum",
      role: "agg",
    },
    time_column: { ...column, role: "time_column" },
    time_grain: { ...grain, role: "time_grain" },
  }),
  tool(
    "top_n",
    ["top_n", "ranking", "sort"],
    {
      by: { ...column, role: "order_by" },
      limit: { type: "integer", minimum: 1, default: 10, role: "limit" },
      order: { type: "string", enum: ["desc", "asc"], default: "desc", role: "order" },
    },
    { required: ["by", "limit"] },
  ),
  tool("compute_summary_stats", ["statistics", "summary", "summarize"], {
    columns: { ...columns, role: "columns" },
    group_by: { ...columns, role: "group_by" },
  }),
  tool(
    "detect_anomalies",
    ["anomaly", "outliers"],
    {
      column: { ...column, role: "column" },
      group_by: { ...columns, role: "group_by" },
      time_column: { ...column, role: "time_column" },
    },
    { required: ["column"] },
  ),
  tool(
    "plot_line",
    ["plot", "line", "time_series", "trend"],
    {
      x: { ...column, role: "x" },
      y: { ...column, role: "y" },
      color: { ...column, role: "color" },
      facet: { ...column, role: "facet" },
    },
    { required: ["x", "y"], ...chart },
  ),
  tool(
    "plot_bar",
    ["plot", "bar", "compare", "categorical"],
    {
      x: { ...column, role: "x" },
      y: { ...column, role: "y" },
      color: { ...column, role: "color" },
    },
    { required: ["x", "y"], ...chart },
  ),
  tool(
    "plot_histogram",
    ["plot", "histogram", "distribution"],
    { column: { ...column, role: "column" }, bins: { type: "integer", minimum: 1 } },
    { required: ["column"], ...chart },
  ),
]

export const templates: ReadonlyArray<PlanTemplate> = [
  {
    name: "time_series_grouped",
    intent: "how a measure develops over time in each group",
    match: { analysis: ["trend"], time: ["*"], group_by: ["*"] },
    tools: ["filter", "aggregate", "plot_line", "compute_summary_stats"],
    steps: [
      {
        id: "grouped",
        tool: "aggregate",
        inputs: { table: "source" },
        params: {},
        satisfies: ["group_by", "time", "metrics"],
        optional: false,
      },
      {
        id: "chart",
        tool: "plot_line",
        inputs: { table: "grouped" },
        params: {},
        satisfies: ["analysis:trend", "outputs:chart"],
        optional: false,
      },
      {
        id: "summary",
        tool: "compute_summary_stats",
        inputs: { table: "source" },
        params: {},
        satisfies: ["analysis:summary"],
        optional: true,
      },
      {
        id: "anomalies",
        tool: "detect_anomalies",
        inputs: { table: "grouped" },
        params: {},
        satisfies: ["analysis:anomaly"],
        optional: true,
      },
    ],
  },
  {
    name: "comparative",
    intent: "how groups compare",
    match: { analysis: ["compare", "total", "average"], group_by: ["*"] },
    tools: ["filter", "aggregate", "plot_bar"],
    steps: [
      {
        id: "grouped",
        tool: "aggregate",
        inputs: { table: "source" },
        params: {},
        satisfies: ["group_by", "metrics"],
        optional: false,
      },
      {
        id: "chart",
        tool: "plot_bar",
        inputs: { table: "grouped" },
        params: {},
        satisfies: ["analysis:compare", "outputs:chart"],
        optional: false,
      },
    ],
  },
]

/** Requirements with these parts and nothing else. */
export const asking = (parts: Partial<Requirements>): Requirements => ({
  ...noRequirements,
  ...parts,
})
