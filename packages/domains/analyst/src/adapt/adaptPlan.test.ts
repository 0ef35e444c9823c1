import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { applyModifications, planOf } from "@planloom/planning"
import type { Plan } from "@planloom/planning"
import { requirements as anyRequirements } from "../../test/arbitraries.ts"
import { asking, profile, templates, tools } from "../../test/sales.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { coverTablePlan, lintTablePlan } from "../rules/checkTablePlan.ts"
import { adaptPlan } from "./adaptPlan.ts"
import { cases } from "../../../../../.config/cases.ts"

const adapt = (parts: Partial<Requirements>) =>
  adaptPlan({ templates, requirements: asking(parts), tools, profile })

const outline = ({ steps }: Plan) =>
  steps.map(({ id, tool, inputs }) => `${id}: ${tool}(${Object.values(inputs).join(", ")})`)

const monthly = { column: "date", grain: "month" } as const

describe("adapting a plan", () => {
  it("fills a template's steps from the requirements and drops unrequested ones", () => {
    const { plan, template, ok } = adapt({
      metrics: ["revenue"],
      group_by: ["region"],
      time: monthly,
      analysis: ["trend", "anomaly"],
    })
    expect({ template, ok }).toEqual({ template: "time_series_grouped", ok: true })
    expect(outline(plan)).toEqual([
      "grouped: aggregate(source)",
      "chart: plot_line(grouped)",
      "anomalies: detect_anomalies(grouped)",
    ])
    expect(plan.steps[0]?.params).toEqual({
      group_by: ["region"],
      metrics: ["revenue"],
      agg: "sum",
      time_column: "date",
      time_grain: "month",
    })
    expect(plan.steps[1]?.params).toEqual({ x: "date", y: "revenue", color: "region" })
  })

  it("filters before every aggregation", () => {
    const { plan, ok } = adapt({
      metrics: ["revenue"],
      group_by: ["region"],
      analysis: ["total"],
      constraints: [{ kind: "filter", column: "date", op: "=", value: "2023" }],
    })
    expect(ok).toBe(true)
    expect(outline(plan)).toEqual([
      "filter: filter(source)",
      "grouped: aggregate(filter)",
      "chart: plot_bar(grouped)",
    ])
  })

  it("ranks the groups, and draws the ranked ones", () => {
    const { plan, ok } = adapt({
      metrics: ["revenue"],
      group_by: ["product_category"],
      analysis: ["ranking"],
      outputs: ["chart"],
      constraints: [{ kind: "top_n", n: 5, order: "desc" }],
    })
    expect(ok).toBe(true)
    expect(outline(plan)).toEqual([
      "grouped: aggregate(source)",
      "top_n: top_n(grouped)",
      "chart: plot_bar(top_n)",
    ])
    expect(plan.steps[1]?.params).toMatchObject({ by: "revenue", limit: 5, order: "desc" })
  })

  it("ranks the rows themselves without groups", () => {
    expect(
      outline(
        adapt({
          metrics: ["revenue"],
          analysis: ["ranking"],
          constraints: [{ kind: "top_n", n: 3, order: "desc" }],
        }).plan,
      ),
    ).toEqual(["top_n: top_n(source)"])
  })

  it("draws nothing if charts are excluded", () => {
    const { plan, ok } = adapt({
      metrics: ["revenue"],
      group_by: ["region"],
      time: monthly,
      analysis: ["trend"],
      constraints: [{ kind: "exclude", output: "chart" }],
    })
    expect(ok).toBe(true)
    expect(outline(plan)).toEqual(["grouped: aggregate(source)"])
  })

  it("uses the requested kind of chart", () => {
    const { plan } = adapt({
      metrics: ["revenue"],
      time: monthly,
      outputs: ["chart"],
      constraints: [{ kind: "chart_type", chart: "bar" }],
    })
    expect(plan.steps.map(({ tool }) => tool)).toContain("plot_bar")
  })

  it("replaces the chart of a template by the requested kind, also along a column without dates", () => {
    for (const [chart, group_by] of [
      ["line", ["region"]],
      ["bar", ["region"]],
    ] as const) {
      const { plan } = adapt({
        metrics: ["revenue"],
        group_by,
        analysis: ["total", "compare"],
        outputs: ["chart"],
        constraints: [{ kind: "chart_type", chart }],
      })
      const charts = plan.steps.filter(({ tool }) => tool.startsWith("plot_"))
      expect(charts.map(({ params, tool }) => [tool, params["x"]])).toEqual([
        [`plot_${chart}`, "region"],
      ])
    }
  })

  it("computes each aggregate function in its own step", () => {
    const { plan, ok } = adapt({
      metrics: ["revenue"],
      group_by: ["region"],
      analysis: ["average", "total"],
    })
    expect(ok).toBe(true)
    expect(
      plan.steps.filter(({ tool }) => tool === "aggregate").map(({ params }) => params.agg),
    ).toEqual(expect.arrayContaining(["avg", "sum"]))
  })

  it("averages columns that cannot be summed", () => {
    const prices = {
      rows: 9,
      columns: [
        { name: "shop", type: "string", distinct: ["a", "b"] },
        { name: "unit_price", type: "number" },
      ],
    } as const
    const { plan } = adaptPlan({
      templates,
      requirements: asking({ metrics: ["unit_price"], group_by: ["shop"] }),
      tools,
      profile: prices,
    })
    expect(plan.steps[0]?.params.agg).toBe("avg")
    expect(plan.steps[0]?.rationale).toContain("does not say how")
  })

  it("lists requirements that no tool can meet as uncovered", () => {
    const result = adapt({ metrics: ["revenue", "units"], analysis: ["correlation"] })
    expect(result.ok).toBe(false)
    expect(result.uncovered).toEqual(["analysis:correlation"])
    expect(result.coverage.text).toBe("Missing coverage: analysis=[correlation]")
  })

  it("plans without any template from capabilities and data alone", () => {
    const { plan, ok, template } = adaptPlan({
      templates: [],
      requirements: asking({
        metrics: ["revenue"],
        group_by: ["region"],
        time: monthly,
        analysis: ["trend"],
        outputs: ["chart"],
      }),
      tools,
      profile,
    })
    expect({ ok, template }).toEqual({ ok: true, template: undefined })
    expect(outline(plan)).toEqual([
      "aggregate: aggregate(source)",
      "plot_line: plot_line(aggregate)",
    ])
  })

  it("law: with ok, the plan passes coverage and lint; same input, same plan", () => {
    let good = 0
    fc.assert(
      fc.property(anyRequirements, (required) => {
        const input = { templates, requirements: required, tools, profile }
        const result = adaptPlan(input)
        expect(adaptPlan(input)).toEqual(result)
        if (result.ok) good++
        const passes = coverTablePlan(result.plan, required, tools).ok
        const sound = lintTablePlan(result.plan, tools, { profile }).length === 0
        expect(result.ok).toBe(passes && sound)
      }),
      { numRuns: cases(300) },
    )
    // The law would hold of an adapter that never says ok.
    expect(good).toBeGreaterThan(60)
  })

  it("law: its only defect may be uncovered requirements", () => {
    fc.assert(
      fc.property(anyRequirements, (required) => {
        const {
          coverage: covered,
          lint,
          plan,
        } = adaptPlan({ templates, requirements: required, tools, profile })
        expect(covered.unjustified).toEqual([])
        expect(covered.order).toEqual([])
        expect(lint.filter(({ code }) => code !== "empty_plan")).toEqual([])
        const others = covered.issues.filter(({ code }) => code !== "uncovered")
        expect({ others, plan: others.length > 0 ? plan : undefined }).toEqual({
          others: [],
          plan: undefined,
        })
      }),
      { numRuns: cases(300) },
    )
  })

  it("law: applying its modifications to the template gives the plan", () => {
    fc.assert(
      fc.property(anyRequirements, (required) => {
        const result = adaptPlan({ templates, requirements: required, tools, profile })
        const template = templates.find(({ name }) => name === result.template)
        const applied = applyModifications(planOf(template), result.modifications)
        expect(applied.rejected).toEqual([])
        const bare = ({ steps }: Plan) =>
          new Map(steps.map(({ rationale: _, ...step }) => [step.id, step]))
        expect(bare(applied.plan)).toEqual(bare(result.plan))
        for (const { rationale } of result.modifications) expect(rationale).not.toBe("")
      }),
      { numRuns: cases(100) },
    )
  })
})
