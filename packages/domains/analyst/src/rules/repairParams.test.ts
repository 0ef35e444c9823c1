import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { repairParams, repairStep } from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import type { Json } from "@planloom/plugin/effect"
import { profile, tools } from "../../test/sales.ts"
import { lintTablePlan, SOURCE_TYPE } from "./checkTablePlan.ts"
import { columnRules, tableData } from "./tableData.ts"

const tool = (name: string) => tools.find((one) => one.name === name)!
const columns = profile.columns.map(({ name }) => name)
const repair = (name: string, params: { readonly [key: string]: Json }) =>
  repairParams(tool(name), params, columnRules(columns))

describe("repairing a call", () => {
  it.each([
    [
      "a list for one value",
      "aggregate",
      { metrics: "revenue" },
      { metrics: ["revenue"] },
      ["wrap_list"],
    ],
    [
      "one value for a list of one",
      "plot_bar",
      { x: ["region"], y: "revenue" },
      { x: "region", y: "revenue" },
      ["unwrap_list"],
    ],
    [
      "two names for one argument: the first",
      "aggregate",
      { METRICS: ["revenue"], Metrics: ["units"] },
      { metrics: ["revenue"] },
      ["rename_param", "drop_param"],
    ],
    [
      "a number for its text",
      "top_n",
      { by: "revenue", limit: "5" },
      { by: "revenue", limit: 5 },
      ["to_number"],
    ],
    [
      "a choice by its other name",
      "aggregate",
      { metrics: ["units"], agg: "mean" },
      { metrics: ["units"], agg: "avg" },
      ["fold_choice"],
    ],
    [
      "a choice in another case",
      "aggregate",
      { metrics: ["units"], time_grain: "Month" },
      { metrics: ["units"], time_grain: "month" },
      ["fold_choice"],
    ],
    [
      "an argument's nearly right name",
      "aggregate",
      { groupBy: ["region"] },
      { group_by: ["region"] },
      ["rename_param"],
    ],
    [
      "nothing for an argument it has not",
      "plot_line",
      { x: "date", y: "units", title_size: 3 },
      { x: "date", y: "units" },
      ["drop_param"],
    ],
    [
      "a default for what is missing",
      "top_n",
      { by: "revenue" },
      { by: "revenue", limit: 10 },
      ["default"],
    ],
    [
      "a column in another case",
      "aggregate",
      { group_by: ["Region"] },
      { group_by: ["region"] },
      ["column_name"],
    ],
    [
      "a column with a slip",
      "aggregate",
      { metrics: ["revnue"] },
      { metrics: ["revenue"] },
      ["column_name"],
    ],
    [
      "a column inside a filter",
      "filter",
      { filters: [{ column: "Product Category", op: "=", value: "Toys" }] },
      { filters: [{ column: "product_category", op: "=", value: "Toys" }] },
      ["column_name"],
    ],
    [
      "nothing for an optional argument whose list holds null alone",
      "aggregate",
      { metrics: ["units"], agg: [null] },
      { metrics: ["units"] },
      ["unwrap_list", "drop_param"],
    ],
    [
      "one value for a list of lists of one",
      "aggregate",
      { metrics: ["units"], agg: [[[[[["sum"]]]]]] },
      { metrics: ["units"], agg: "sum" },
      ["unwrap_list"],
    ],
    [
      "several things at once",
      "aggregate",
      { groupby: "Region", agg: "average" },
      { group_by: ["region"], agg: "avg" },
      ["rename_param", "fold_choice", "wrap_list", "column_name"],
    ],
  ] as const)("puts %s", (_, name, params, expected, rules) => {
    const result = repair(name, params)
    expect(result.params).toEqual(expected)
    expect(result.mismatches).toEqual([])
    expect(result.repairs.map(({ rule }) => rule).toSorted()).toEqual([...rules].toSorted())
  })

  it("records each repair: path, old and new value, reason, rule", () => {
    expect(repair("top_n", { by: "revenue", limit: "5" }).repairs).toEqual([
      {
        path: "params.limit",
        from: "5",
        to: 5,
        why: "a number was written as text",
        rule: "to_number",
      },
    ])
  })

  it("keeps an ambiguous value, and reports the remaining mismatch", () => {
    const result = repair("aggregate", { agg: "wobble" })
    expect(result.params).toEqual({ agg: "wobble" })
    expect(result.mismatches[0]).toMatchObject({ path: ["agg"], code: "enum" })
    expect(repair("aggregate", { metrics: ["profit"] }).params).toEqual({ metrics: ["profit"] })
  })

  it("law: never changes a valid call", () => {
    const names = fc.uniqueArray(fc.constantFrom(...columns), { maxLength: 3 })
    const calls = fc.oneof(
      fc.tuple(
        fc.constant("aggregate"),
        fc.record(
          {
            group_by: names,
            metrics: names,
            agg: fc.constantFrom("sum", "avg", "min", "count"),
            time_grain: fc.constantFrom("day", "month"),
          },
          { requiredKeys: [] },
        ),
      ),
      fc.tuple(
        fc.constant("filter"),
        fc.record({
          filters: fc.array(
            fc.record({
              column: fc.constantFrom(...columns),
              op: fc.string(),
              value: fc.jsonValue(),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        }),
      ),
      fc.tuple(
        fc.constant("top_n"),
        fc.record({ by: fc.constantFrom(...columns), limit: fc.integer({ min: 1 }) }),
      ),
    )
    fc.assert(
      fc.property(calls, ([name, params]) => {
        const result = repair(name, params as { readonly [key: string]: Json })
        expect(result.params).toBe(params)
        expect(result.repairs).toEqual([])
      }),
    )
  })

  it("law: accepts any arguments, never adds a mismatch, and is idempotent", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tools),
        fc.dictionary(
          fc.constantFrom("group_by", "metrics", "agg", "x", "limit", "nonsense"),
          fc.oneof(
            fc.jsonValue(),
            fc.constantFrom<Json>("SUM", ["5"], [null], [[null]], [[[[["a"]]]]]),
          ),
        ),
        (one, params) => {
          const given = params as { readonly [key: string]: Json }
          const first = repairParams(one, given, columnRules(columns))
          const second = repairParams(one, first.params, columnRules(columns))
          expect(second.params).toEqual(first.params)
          expect(first.mismatches.length).toBeLessThanOrEqual(
            repairParams(one, given, columnRules(undefined)).mismatches.length +
              Object.keys(params).length,
          )
        },
      ),
    )
  })
})

describe("repairing a step", () => {
  const grouped: Step = {
    id: "grouped",
    tool: "aggregate",
    inputs: { table: "source" },
    params: { group_by: ["region"], metrics: ["revenue"] },
    satisfies: [],
  }
  const chart = (parts: Partial<Step>): Step => ({
    id: "chart",
    tool: "plot_bar",
    inputs: { table: "grouped" },
    params: { x: "region", y: "revenue" },
    satisfies: [],
    ...parts,
  })
  const data = { data: tableData(profile), source: SOURCE_TYPE }
  const repairOf = (step: Step) => {
    const plan: Plan = { steps: [grouped, step] }
    return repairStep(step, plan, tools, data)
  }

  it("connects a step without a table to the nearest one before it", () => {
    const { step, repairs } = repairOf(chart({ inputs: {} }))
    expect(step.inputs).toEqual({ table: "grouped" })
    expect(repairs[0]).toMatchObject({ path: "inputs.table", from: null, rule: "missing_input" })
  })

  it("repairs a misspelled slot and a misspelled reference", () => {
    const { step, repairs } = repairOf(chart({ inputs: { df: "groupd" } }))
    expect(step.inputs).toEqual({ table: "grouped" })
    expect(repairs.map(({ rule }) => rule)).toEqual(["input_name", "reference"])
  })

  it("repairs by the columns that the table has at the step", () => {
    expect(repairOf(chart({ params: { x: "Region", y: "Revenue" } })).step.params).toEqual({
      x: "region",
      y: "revenue",
    })
  })

  it("law: a step that passes lint is unchanged", () => {
    const plan: Plan = { steps: [grouped, chart({})] }
    expect(lintTablePlan(plan, tools, { profile })).toEqual([])
    for (const step of plan.steps) expect(repairStep(step, plan, tools, data).step).toBe(step)
  })
})
