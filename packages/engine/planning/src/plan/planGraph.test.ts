import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { parallelLevels, SOURCE, topologicalOrder } from "../index.ts"
import type { Plan } from "../index.ts"
import { findCycle } from "./planGraph.ts"
import { plans } from "../../test/arbitraries.ts"

const planOf = (edges: { readonly [id: string]: ReadonlyArray<string> }): Plan => ({
  steps: Object.entries(edges).map(([id, from]) => ({
    id,
    tool: "any",
    inputs: Object.fromEntries(from.map((one, at) => [`slot${at}`, one])),
    params: {},
    satisfies: [],
  })),
})

describe("a plan as a graph", () => {
  it("puts independent steps in one level", () => {
    const plan = planOf({ d: ["b", "c"], b: ["a"], c: ["a"], a: ["source"], e: [] })
    const ordered = parallelLevels(plan)
    expect(ordered.ok && ordered.levels.map((level) => level.map(({ id }) => id))).toEqual([
      ["a", "e"],
      ["b", "c"],
      ["d"],
    ])
  })

  it("lists the steps of a cycle or behind a missing step", () => {
    expect(parallelLevels(planOf({ a: ["b"], b: ["a"], c: [] }))).toEqual({
      ok: false,
      levels: [[expect.objectContaining({ id: "c" })]],
      stuck: ["a", "b"],
    })
    expect(findCycle(planOf({ a: ["c"], b: ["a"], c: ["b"] }))).toHaveLength(3)
    expect(findCycle(planOf({ a: ["missing"] }))).toBeUndefined()
  })

  it("law: a topological order has every step once, after its dependencies", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const order = topologicalOrder(plan)
        const place = new Map((order ?? []).map(({ id }, at) => [id, at]))
        const early = (order ?? []).filter((step) =>
          Object.values(step.inputs).some(
            (from) => from !== SOURCE && (place.get(from) ?? Infinity) >= place.get(step.id)!,
          ),
        )
        expect(early).toEqual([])
        expect(order?.length ?? plan.steps.length).toBe(plan.steps.length)
      }),
    )
  })
})
