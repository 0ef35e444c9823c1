import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { applyModifications, diffPlans } from "../index.ts"
import type { Modification, Plan } from "../index.ts"
import { plans } from "../../test/arbitraries.ts"

const plan: Plan = {
  steps: [
    {
      id: "a",
      tool: "filter",
      inputs: { table: "source" },
      params: { filters: [] },
      satisfies: ["x"],
    },
    {
      id: "b",
      tool: "aggregate",
      inputs: { table: "a" },
      params: { agg: "sum" },
      satisfies: ["y"],
    },
  ],
}

const apply = (...modifications: ReadonlyArray<Modification>) =>
  applyModifications(plan, modifications)

describe("applying modifications", () => {
  it("adds after a step, at the beginning, or at the end", () => {
    const add = (step: string, after?: string): Modification => ({
      op: "add",
      step,
      tool: "plot_bar",
      rationale: "asked",
      ...(after === undefined ? {} : { after }),
    })
    const ids = apply(add("first", "source"), add("middle", "a"), add("last")).plan.steps
    expect(ids.map(({ id }) => id)).toEqual(["first", "a", "middle", "b", "last"])
  })

  it("rewires the readers of a removed step to its input", () => {
    const { plan: changed } = apply({ op: "remove", step: "a", rationale: "not asked" })
    expect(changed.steps).toMatchObject([{ id: "b", inputs: { table: "source" } }])
  })

  it("merges arguments and removes those that are null", () => {
    const { plan: changed } = apply({
      op: "modify",
      step: "b",
      rationale: "asked",
      params: { agg: null, metrics: ["revenue"] },
      satisfies: ["z"],
    })
    expect(changed.steps[1]).toMatchObject({ params: { metrics: ["revenue"] }, satisfies: ["z"] })
    expect(changed.steps[1]?.params).not.toHaveProperty("agg")
  })

  it("lists rejected modifications and applies the rest", () => {
    const result = apply(
      { op: "remove", step: "missing", rationale: "" },
      { op: "add", step: "a", tool: "filter", rationale: "" },
      { op: "add", step: "c", rationale: "" },
      { op: "modify", step: "b", tool: "top_n", rationale: "" },
    )
    expect(result.rejected.map(({ reason }) => reason)).toEqual([
      "there is no step missing",
      "there is a step a already",
      "an added step needs a tool",
    ])
    expect(result.applied).toHaveLength(1)
    expect(result.plan.steps[1]?.tool).toBe("top_n")
  })

  it("law: is deterministic, and the difference of two plans leads from one to the other", () => {
    const bare = ({ steps }: Plan) =>
      Object.fromEntries(steps.map(({ rationale: _, ...step }) => [step.id, step]))
    fc.assert(
      fc.property(plans, plans, (before, after) => {
        const modifications = diffPlans(before, after, new Map())
        const once = applyModifications(before, modifications)
        expect(applyModifications(before, modifications)).toEqual(once)
        expect(once.rejected).toEqual([])
        expect(bare(once.plan)).toEqual(bare(after))
      }),
    )
  })
})
