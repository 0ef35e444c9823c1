import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { relaxPlan, type Relaxations } from "./relaxPlan.ts"

const search: Tool = {
  name: "search",
  summary: "Searches.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    properties: {
      text: { type: "string" },
      mode: { enum: ["faceted", "master"], default: "faceted" },
      limit: { type: "integer", minimum: 1, maximum: 50, default: 10 },
      threshold: { type: "number", minimum: 0, maximum: 1, default: 0.4 },
    },
  },
}

const relaxations: Relaxations = {
  search: [
    { threshold: { at_most: 0.15 }, limit: { times: 2, at_least: 20 } },
    { mode: { set: "master" }, threshold: { at_most: 0.2 }, limit: { at_least: 20 } },
  ],
}

const step = (id: string, params: JsonObject) => ({
  id,
  tool: "search",
  inputs: {},
  params,
  satisfies: [],
})

const relaxed = (params: JsonObject, round: number) =>
  relaxPlan({ steps: [step("a", params)] }, ["a"], relaxations, round, [search]).steps[0]!.params

describe("a relaxed plan", () => {
  it("widens a search that found nothing, first within its mode, then in the other one", () => {
    expect(relaxed({ text: "x" }, 0)).toEqual({ text: "x", threshold: 0.15, limit: 20 })
    expect(relaxed({ text: "x", threshold: 0.15, limit: 20 }, 1)).toEqual({
      text: "x",
      mode: "master",
      threshold: 0.15,
      limit: 20,
    })
  })

  it("leaves steps that found something, and steps of other tools", () => {
    const plan = { steps: [step("a", {}), step("b", {}), { ...step("c", {}), tool: "other" }] }
    const made = relaxPlan(plan, ["b", "c"], relaxations, 0, [search])
    expect(made.steps.map(({ params }) => params)).toEqual([{}, { threshold: 0.15, limit: 20 }, {}])
  })

  it("is never narrower, and stays within the bounds of the params", () => {
    const given = fc.record(
      {
        threshold: fc.double({ min: 0, max: 1, noNaN: true }),
        limit: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(given, fc.array(fc.nat({ max: 4 }), { maxLength: 5 }), (params, rounds) => {
        let before: JsonObject = params as JsonObject
        for (const round of rounds) {
          const after = relaxed(before, round)
          expect(after["threshold"]).toBeLessThanOrEqual((before["threshold"] ?? 0.4) as number)
          expect(after["limit"]).toBeGreaterThanOrEqual((before["limit"] ?? 10) as number)
          expect(after["limit"]).toBeLessThanOrEqual(50)
          before = after
        }
      }),
      { numRuns: cases(300) },
    )
  })
})
