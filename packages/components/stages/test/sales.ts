/** Tools, a template and a table for the tests of the kinds. */
import { noRequirements, tables } from "@planloom/analyst"
import type { Requirements } from "@planloom/analyst"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { makeContext } from "../../stage-kit/test/context.ts"
import type { Given, Recorded } from "../../stage-kit/test/context.ts"

export const profile = {
  rows: 8,
  columns: [
    { name: "region", type: "string", distinct: ["North", "South"] },
    { name: "date", type: "date", min: "2023-01-01", max: "2024-12-31" },
    { name: "revenue", type: "number", min: 1, max: 90 },
  ],
} as const

const names = { type: "array", items: { type: "string" } } as const
const name = { type: "string" } as const

const tool = (
  id: string,
  capabilities: ReadonlyArray<string>,
  properties: JsonObject,
  outputs: ReadonlyArray<string> = ["table"],
  required: ReadonlyArray<string> = [],
): Tool => ({
  name: id,
  summary: `${id.replaceAll("_", " ")} over a table`,
  capabilities,
  effect: "read",
  inputs: { table: "table" },
  params: { type: "object", additionalProperties: false, required, properties },
  outputs,
})

export const tools: ReadonlyArray<Tool> = [
  tool("filter", ["filter"], { filters: { type: "array", items: { type: "object" } } }),
  tool("aggregate", ["aggregate", "group_by", "summarize", "compare", "time_series"], {
    group_by: names,
    metrics: names,
    agg: { type: "string", enum: ["sum", "avg", "count"], default: "sum" },
    time_column: name,
    time_grain: { type: "string", enum: ["day", "month", "year"] },
  }),
  tool("top_n", ["ranking", "top_n"], {
    order_by: name,
    limit: { type: "integer", minimum: 1, default: 10 },
    order: { type: "string", enum: ["asc", "desc"] },
  }),
  tool("compute_summary_stats", ["statistics", "summary"], { metrics: names }),
  tool("detect_anomalies", ["anomaly"], { column: name }, ["table"], ["column"]),
  tool(
    "plot_line",
    ["plot", "time_series", "trend"],
    { x: name, y: name, color: name },
    ["chart"],
    ["x", "y"],
  ),
  tool(
    "plot_bar",
    ["plot", "bar", "compare", "categorical"],
    { x: name, y: name, color: name },
    ["chart"],
    ["x", "y"],
  ),
  tool(
    "plot_histogram",
    ["plot", "histogram", "distribution"],
    { column: name },
    ["chart"],
    ["column"],
  ),
]

/** Files under `use.files`. */
export const files = {
  PlanTemplate: [
    {
      name: "comparative",
      intent: "how groups compare",
      match: { analysis: ["compare", "total"], group_by: ["*"] },
      tools: ["filter", "aggregate", "plot_bar"],
      steps: [
        {
          id: "grouped",
          tool: "aggregate",
          inputs: { table: "source" },
          satisfies: ["group_by", "metrics"],
        },
        {
          id: "chart",
          tool: "plot_bar",
          inputs: { table: "grouped" },
          satisfies: ["analysis:compare", "outputs:chart"],
        },
      ],
    },
  ],
}

/** Requirements with these parts, as JSON. */
export const asking = (parts: Partial<Requirements>): JsonObject =>
  ({ ...noRequirements, ...parts }) as unknown as JsonObject

/** A context in which the domain of tables is known. */
export const tableContext = (given: Given = {}): Recorded =>
  makeContext({ domains: [tables], ...given })

/** A table handle as table tools give it. */
export const table = (
  columns: ReadonlyArray<readonly [name: string, type: string, label?: string, grain?: string]>,
  rows: ReadonlyArray<ReadonlyArray<Json>>,
  total = rows.length,
): JsonObject => ({
  type: "table",
  columns: columns.map(([column, type, label, grain]) => ({
    name: column,
    type,
    ...(label === undefined ? {} : { label }),
    ...(grain === undefined ? {} : { grain }),
  })),
  rows: total,
  preview: rows.map((row) =>
    Object.fromEntries(row.map((cell, at) => [columns[at]?.[0] ?? "", cell])),
  ),
})
