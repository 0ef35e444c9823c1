import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import type { Plan, Step } from "@planloom/planning"
import { plans, requirements as anyRequirements } from "../../test/arbitraries.ts"
import { asking, profile, templates, tools } from "../../test/sales.ts"
import { adaptPlan } from "../adapt/adaptPlan.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import { coverTablePlan } from "./checkTablePlan.ts"
import { cases } from "../../../../../.config/cases.ts"

const step = (id: string, tool: string, parts: Partial<Step> = {}): Step => ({
  id,
  tool,
  inputs: { table: "source" },
  params: {},
  satisfies: [],
  ...parts,
})

const asked = asking({
  metrics: ["revenue"],
  group_by: ["region", "product_category"],
  analysis: ["total", "compare"],
  outputs: ["chart"],
})

const grouped = step("grouped", "aggregate", {
  params: { group_by: ["region", "product_category"], metrics: ["revenue"], agg: "sum" },
  satisfies: ["metrics:revenue", "group_by:region", "group_by:product_category", "analysis:total"],
})

const bars = step("bars", "plot_bar", {
  inputs: { table: "grouped" },
  params: { x: "region", y: "revenue", color: "product_category" },
  satisfies: ["analysis:compare", "outputs:chart"],
})

const codes = (plan: Plan, required = asked) =>
  coverTablePlan(plan, required, tools).issues.map(({ code }) => code)

describe("coverage", () => {
  it("passes a plan that does exactly what is required, and maps requirements to steps", () => {
    const result = coverTablePlan({ steps: [grouped, bars] }, asked, tools)
    expect(result).toMatchObject({ ok: true, missing: {}, unjustified: [], order: [], text: "" })
    expect(result.matrix["group_by:region"]).toEqual(["grouped"])
    expect(result.matrix["outputs:chart"]).toEqual(["bars"])
    expect(result.counts).toEqual({ requirements: 6, covered: 6, steps: 2, unjustified: 0 })
  })

  it("lists a missing group and an unrequested analysis in its text", () => {
    const total = {
      ...grouped,
      params: { metrics: ["revenue"], agg: "sum" },
      satisfies: ["metrics:revenue", "analysis:total"],
    }
    const lonely = step("odd", "detect_anomalies", {
      params: { column: "revenue" },
      satisfies: ["analysis:anomaly"],
    })
    const chart = { ...bars, params: { x: "revenue", y: "revenue" } }
    const result = coverTablePlan({ steps: [total, chart, lonely] }, asked, tools)
    expect(result.ok).toBe(false)
    expect(result.text).toBe(
      "Missing coverage: group_by=[region, product_category]\nRemove unjustified steps: detect_anomalies",
    )
  })

  it("rejects a histogram that only cites the chart", () => {
    const histogram = step("spread", "plot_histogram", {
      params: { column: "revenue" },
      satisfies: ["outputs:chart", "metrics:revenue"],
    })
    const result = coverTablePlan({ steps: [grouped, bars, histogram] }, asked, tools)
    expect(result.unjustified).toEqual(["plot_histogram"])
    expect(result.text).toContain("Remove unjustified steps: plot_histogram")
  })

  it("requires the aggregate before the plot of its groups", () => {
    const early = { ...bars, inputs: { table: "source" } }
    const result = coverTablePlan({ steps: [early, grouped] }, asked, tools)
    expect(result.order.map(({ code }) => code)).toContain("aggregate_before_plot")
    expect(result.text).toContain("Fix order: aggregate before plot_bar for group_by:region")
  })

  it("does not accept a plot as a group_by", () => {
    const only = {
      ...bars,
      inputs: { table: "source" },
      satisfies: [
        "group_by:region",
        "group_by:product_category",
        "metrics:revenue",
        "analysis:compare",
        "outputs:chart",
      ],
    }
    expect(coverTablePlan({ steps: [only] }, asked, tools).missing.group_by).toEqual([
      "region",
      "product_category",
    ])
  })

  it("rejects a citation that contradicts the step's arguments", () => {
    const average = { ...grouped, params: { ...grouped.params, agg: "avg" } }
    const result = coverTablePlan({ steps: [average, bars] }, asked, tools)
    expect(result.missing.analysis).toEqual(["total"])
    expect(result.text).toContain(
      "Fix citation: grouped cites analysis:total, but grouped gives the avg",
    )
  })

  it("requires filtered rows in every branch", () => {
    const filter = { kind: "filter", column: "region", op: "=", value: "North" } as const
    const required = asking({ metrics: ["revenue"], analysis: ["total"], constraints: [filter] })
    const north = step("north", "filter", {
      params: { filters: [{ column: "region", op: "=", value: "North" }] },
      satisfies: ["filter:region = North"],
    })
    const total = step("total", "aggregate", {
      params: { metrics: ["revenue"], agg: "sum" },
      satisfies: ["metrics:revenue", "analysis:total"],
    })
    expect(codes({ steps: [north, total] }, required)).toEqual(["filter_before_use"])
    expect(codes({ steps: [north, { ...total, inputs: { table: "north" } }] }, required)).toEqual(
      [],
    )
  })

  it("rejects a step with an excluded output", () => {
    const required = asking({
      metrics: ["revenue"],
      group_by: ["region", "product_category"],
      analysis: ["total", "compare"],
      constraints: [{ kind: "exclude", output: "chart" }],
    })
    expect(
      codes({ steps: [grouped, { ...bars, satisfies: ["analysis:compare"] }] }, required),
    ).toContain("forbidden_output")
  })

  it("requires time in a trend, by the requested interval", () => {
    const required = asking({
      metrics: ["revenue"],
      time: { column: "date", grain: "month" },
      analysis: ["trend"],
    })
    const byYear = step("series", "aggregate", {
      params: { metrics: ["revenue"], agg: "sum", time_column: "date", time_grain: "year" },
      satisfies: ["metrics:revenue", "time:month", "analysis:trend"],
    })
    expect(coverTablePlan({ steps: [byYear] }, required, tools).missing).toEqual({
      time: ["month"],
      analysis: ["trend"],
    })
    const byMonth = { ...byYear, params: { ...byYear.params, time_grain: "month" } }
    expect(codes({ steps: [byMonth] }, required)).toEqual([])
  })

  it("names a step by its tool and id if several steps use the tool", () => {
    const idle = [step("one", "filter"), step("two", "filter")]
    expect(coverTablePlan({ steps: idle }, asked, tools).unjustified).toEqual([
      "filter (one)",
      "filter (two)",
    ])
  })

  it("law: never passes a plan with an uncited step or an uncovered requirement", () => {
    fc.assert(
      fc.property(plans, anyRequirements, (plan, required) => {
        const result = coverTablePlan(plan, required, tools)
        const ids = listRequirements(required).map(({ id }) => id)
        const idle = plan.steps.some((one) => !one.satisfies.some((id) => ids.includes(id)))
        const bare = listRequirements(required).some(
          ({ id, must, kind }) =>
            must && kind !== "exclude" && !plan.steps.some((one) => one.satisfies.includes(id)),
        )
        expect(result.ok && (idle || bare)).toBe(false)
        expect(result.ok).toBe(result.issues.length === 0)
        expect(result.ok).toBe(result.text === "")
      }),
      { numRuns: cases(500) },
    )
  })

  it("law: removing any step from a valid plan leaves a requirement uncovered or a reference dangling", () => {
    fc.assert(
      fc.property(anyRequirements, (required) => {
        const { ok, plan } = adaptPlan({ templates, requirements: required, tools, profile })
        const readers = (id: string) =>
          plan.steps.some((one) => Object.values(one.inputs).includes(id))
        const wrong = (ok ? plan.steps : []).filter((one) => {
          const rest = { steps: plan.steps.filter((other) => other !== one) }
          const { matrix } = coverTablePlan(plan, required, tools)
          const covers = listRequirements(required).some(
            ({ id, must }) => must && matrix[id]?.length === 1 && matrix[id][0] === one.id,
          )
          return covers && !readers(one.id) && coverTablePlan(rest, required, tools).ok
        })
        expect(wrong).toEqual([])
      }),
      { numRuns: cases(60) },
    )
  })
})
