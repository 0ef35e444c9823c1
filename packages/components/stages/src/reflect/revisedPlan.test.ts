import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import type { JsonObject } from "@planloom/plugin/effect"
import type { Modification, Plan, Step } from "@planloom/planning"
import { sameJson } from "@planloom/schema"
import { revisedPlan, type ReflectReply } from "./revisedPlan.ts"

const step = (id: string, params: JsonObject = {}, tool = "search"): Step => ({
  id,
  tool,
  inputs: {},
  params,
  satisfies: [],
})

const before: Plan = { steps: [step("a", { text: "robots" }), step("b", { text: "quantum" })] }

describe("the plan that a reply asks for", () => {
  it("has new queries in place of those that found nothing", () => {
    const reply = { new_queries: [{ text: "physics" }, { text: "robots" }] }
    expect(revisedPlan(before, reply, ["a"], "search")?.plan.steps).toEqual([
      step("a", { text: "robots" }),
      step("search_again", { text: "physics" }),
    ])
  })

  it("keeps the step of a query that is asked for again", () => {
    const reply = { new_queries: [{ text: "quantum" }] }
    expect(revisedPlan(before, reply, ["a"], "search")?.plan).toEqual(before)
  })

  it("rejects modifications of steps that found something", () => {
    const modifications: ReadonlyArray<Modification> = [
      { op: "remove", step: "a", rationale: "" },
      { op: "modify", step: "b", rationale: "", params: { text: "physics" } },
    ]
    const made = revisedPlan(before, { modifications }, ["a"], undefined)
    expect(made?.plan.steps.map(({ params }) => params)).toEqual([
      { text: "robots" },
      { text: "physics" },
    ])
    expect(made?.rejected.map(({ reason }) => reason)).toEqual([
      "the step has found something and stays",
    ])
  })

  it("is undefined for a reply without a change", () => {
    expect(revisedPlan(before, {}, ["a"], undefined)).toBeUndefined()
  })

  it("never loses or changes a step that found something, and names each step once", () => {
    const ids = fc.constantFrom("a", "b", "c", "d")
    const params = fc.record({ text: fc.constantFrom("x", "y", "z") })
    const written = fc.record({ id: ids, tool: fc.constantFrom("search", "other"), params })
    const steps = fc.uniqueArray(written, { selector: ({ id }) => id, maxLength: 4 })
    const modification = fc.record({
      op: fc.constantFrom("add", "remove", "modify"),
      step: ids,
      rationale: fc.constant(""),
      tool: fc.constantFrom("search", "other"),
      params,
    }) as fc.Arbitrary<Modification>
    const reply: fc.Arbitrary<ReflectReply> = fc.oneof(
      fc.record({ modifications: fc.array(modification, { maxLength: 5 }) }),
      fc.record({ plan: fc.record({ steps }) }),
      fc.record({ new_queries: fc.array(params, { maxLength: 4 }) }),
    )
    const counts = { kept: 0, changed: 0 }
    fc.assert(
      fc.property(steps, reply, fc.array(ids), (given, asked, hits) => {
        const plan: Plan = { steps: given.map(({ id, params: own, tool }) => step(id, own, tool)) }
        const found = plan.steps.map(({ id }) => id).filter((id) => hits.some((hit) => hit === id))
        const made = revisedPlan(plan, asked, found, "search")?.plan ?? plan
        for (const id of found) {
          counts.kept++
          const after = made.steps.find((one) => one.id === id)
          const first = plan.steps.find((one) => one.id === id)
          expect(after).toEqual(first)
        }
        if (!sameJson(made as never, plan as never)) counts.changed++
        expect(new Set(made.steps.map(({ id }) => id)).size).toBe(made.steps.length)
      }),
      { numRuns: cases(500) },
    )
    expect(counts.kept).toBeGreaterThan(50)
    expect(counts.changed).toBeGreaterThan(50)
  })
})
