import { describe, expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { asking, profile, templates, tools } from "../../test/sales.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { adaptPlan } from "./adaptPlan.ts"

const column = { type: "string" } as const
const columns = { type: "array", items: column } as const
const division = {
  group_by: { ...columns, role: "group_by" },
  time_column: { ...column, role: "time_column" },
  time_grain: { type: "string", enum: ["month", "year"], role: "time_grain" },
}

const tool = (
  name: string,
  capabilities: ReadonlyArray<string>,
  properties: object,
  required: ReadonlyArray<string> = [],
): Tool => ({
  name,
  summary: name,
  capabilities,
  inputs: { table: "table" },
  params: { type: "object", properties, required },
  outputs: ["table"],
})

const all: ReadonlyArray<Tool> = [
  ...tools,
  tool(
    "rate",
    ["rate", "per_group"],
    { of: { type: "array", role: "part", minItems: 1 }, ...division },
    ["of"],
  ),
  tool(
    "ratio",
    ["ratio", "per_group"],
    { metrics: { ...columns, minItems: 2, maxItems: 2, role: "metrics" }, ...division },
    ["metrics"],
  ),
  tool("change", ["change"], {
    metrics: { ...columns, role: "metrics" },
    along: { ...column, role: "x" },
    within: { ...columns, role: "color" },
  }),
  tool("keep_groups", ["having"], { having: { type: "array", role: "having" } }, ["having"]),
  tool(
    "time_part",
    ["time_part", "datetime"],
    {
      column: { ...column, role: "time_column" },
      part: { type: "string", enum: ["weekday", "hour"], role: "time_part" },
      as: { ...column, role: "result" },
    },
    ["column", "part"],
  ),
]

const stepsOf = (parts: Partial<Requirements>) => {
  const { ok, plan } = adaptPlan({ templates, requirements: asking(parts), tools: all, profile })
  expect(ok).toBe(true)
  const charts = new Set(all.flatMap((one) => (one.outputs[0] === "chart" ? [one.name] : [])))
  const computing = plan.steps.filter((step) => !charts.has(step.tool))
  return computing.map(({ id, inputs, params, tool: name }) => ({
    id,
    tool: name,
    from: inputs["table"],
    params,
  }))
}

const toys = { column: "product_category", op: "=", value: "Toys" } as const

describe("plans for rates, ratios, thresholds and parts of dates", () => {
  it("computes a rate from the rows, and ranks its groups by it", () => {
    const steps = stepsOf({
      analysis: ["rate", "ranking"],
      group_by: ["region"],
      constraints: [
        { kind: "part", ...toys },
        { kind: "top_n", n: 1, order: "desc" },
      ],
    })
    expect(steps.map((step) => [step.tool, step.params])).toEqual([
      ["rate", { of: [toys], group_by: ["region"] }],
      ["top_n", { by: "rate", limit: 1, order: "desc" }],
    ])
    expect(steps[1]?.from).toBe(steps[0]?.id)
  })

  it("divides one column by another instead of putting each together", () => {
    const metrics = ["revenue", "units"]
    expect(stepsOf({ analysis: ["ratio"], metrics, group_by: ["region"] })).toMatchObject([
      { tool: "ratio", from: "source", params: { metrics, group_by: ["region"] } },
    ])
  })

  it("keeps groups by their number of rows", () => {
    const having = { column: "count", op: ">", value: 5 } as const
    const steps = stepsOf({
      analysis: ["count"],
      group_by: ["region"],
      constraints: [{ kind: "having", ...having }],
    })
    expect(steps.map((step) => step.tool)).toEqual(["aggregate", "keep_groups"])
    expect(steps[1]).toMatchObject({ from: steps[0]?.id, params: { having: [having] } })
  })

  it("adds the change to a series", () => {
    const steps = stepsOf({
      analysis: ["change"],
      metrics: ["revenue"],
      time: { column: "date", grain: "year" },
    })
    expect(steps.map((step) => step.tool)).toEqual(["aggregate", "change"])
    expect(steps[1]?.params).toMatchObject({ metrics: ["revenue"], along: "date" })
  })

  it("adds a part of the date before conditions on it and groups by it", () => {
    const steps = stepsOf({
      analysis: ["total"],
      metrics: ["units"],
      group_by: ["hour"],
      constraints: [
        { kind: "time_part", column: "date", part: "weekday", as: "weekday" },
        { kind: "time_part", column: "date", part: "hour", as: "hour" },
        { kind: "filter", column: "weekday", op: "=", value: "Monday" },
      ],
    })
    expect(steps.map((step) => step.tool)).toEqual([
      "time_part",
      "time_part",
      "filter",
      "aggregate",
    ])
    expect(steps.map((step) => step.from)).toEqual([
      "source",
      ...steps.slice(0, -1).map(({ id }) => id),
    ])
  })
})
