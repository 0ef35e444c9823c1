import { describe, expect, it } from "vitest"
import type { Plan, Step } from "@planloom/planning"
import { profile, tools } from "../../test/sales.ts"
import { lintTablePlan } from "./checkTablePlan.ts"

const sound: Plan = {
  steps: [
    {
      id: "north",
      tool: "filter",
      inputs: { table: "source" },
      params: { filters: [{ column: "region", op: "=", value: "North" }] },
      satisfies: [],
    },
    {
      id: "grouped",
      tool: "aggregate",
      inputs: { table: "north" },
      params: { group_by: ["region"], metrics: ["revenue"], agg: "sum" },
      satisfies: [],
    },
    {
      id: "chart",
      tool: "plot_bar",
      inputs: { table: "grouped" },
      params: { x: "region", y: "revenue" },
      satisfies: [],
    },
  ],
}

const change = (id: string, parts: Partial<Step>): Plan => ({
  steps: sound.steps.map((step) => (step.id === id ? { ...step, ...parts } : step)),
})

const lint = (plan: Plan) => lintTablePlan(plan, tools, { profile })

/** One fault each, with the one code it must give. */
const faults: ReadonlyArray<readonly [string, string, Plan]> = [
  ["empty_plan", "has no steps", { steps: [] }],
  [
    "duplicate_id",
    "two steps of one name",
    {
      steps: [
        ...sound.steps,
        { ...sound.steps[2]!, params: { x: "region", y: "revenue", color: "region" } },
      ],
    },
  ],
  ["unknown_tool", "an unknown tool", change("chart", { tool: "plot_pie" })],
  ["missing_param", "no y", change("chart", { params: { x: "region" } })],
  [
    "unknown_param",
    "an argument of another tool",
    change("chart", { params: { x: "region", y: "revenue", bins: 3 } }),
  ],
  [
    "mistyped_param",
    "text where a list belongs",
    change("grouped", { params: { group_by: "region", metrics: ["revenue"] } }),
  ],
  [
    "mistyped_param",
    "a value outside the choices",
    change("grouped", { params: { group_by: ["region"], metrics: ["revenue"], agg: "mode" } }),
  ],
  [
    "mistyped_param",
    "a filter without a column",
    change("north", { params: { filters: [{ op: "=", value: 1 }] } }),
  ],
  ["mistyped_param", "no filter at all", change("north", { params: { filters: [] } })],
  ["missing_input", "no table", change("grouped", { inputs: {} })],
  [
    "unknown_input",
    "a slot it has not",
    change("grouped", { inputs: { table: "north", other: "source" } }),
  ],
  ["bad_reference", "a step that is not there", change("chart", { inputs: { table: "groups" } })],
  [
    "wrong_data_type",
    "a chart where a table belongs",
    { steps: [...sound.steps, { ...sound.steps[2]!, id: "second", inputs: { table: "chart" } }] },
  ],
  ["cycle", "steps that wait for each other", change("north", { inputs: { table: "grouped" } })],
  [
    "unknown_column",
    "a column the table has not",
    change("grouped", { params: { group_by: ["regoin"], metrics: ["revenue"] } }),
  ],
  [
    "unknown_column",
    "a column the aggregate dropped",
    change("chart", { params: { x: "region", y: "units" } }),
  ],
]

describe("plan lint", () => {
  it("reports nothing for a valid plan", () => {
    expect(lint(sound)).toEqual([])
  })

  it.each(faults)("reports %s for a plan with %s", (code, _, plan) => {
    const codes = new Set(lint(plan).map((issue) => issue.code))
    // A renamed column breaks the chart that reads it too: that is the same fault.
    expect([...codes]).toEqual([code])
  })

  it("refuses a step called source", () => {
    const plan: Plan = { steps: [{ ...sound.steps[0]!, id: "source" }] }
    expect(lint(plan).map(({ code }) => code)).toContain("reserved_id")
  })

  it("reports the path and a suggestion", () => {
    expect(
      lint(change("grouped", { params: { group_by: ["regoin"], metrics: ["revenue"] } }))[0],
    ).toMatchObject({
      step: "grouped",
      path: "params.group_by",
      suggestion: "region",
    })
    expect(lint(change("chart", { tool: "plot_bra" }))[0]).toMatchObject({ suggestion: "plot_bar" })
    expect(lint(change("chart", { inputs: { table: "groupd" } }))[0]).toMatchObject({
      suggestion: "grouped",
    })
  })
})
