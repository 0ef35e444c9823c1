import { describe, expect, it } from "vitest"
import { templates, tools } from "../../test/travel.ts"
import { adaptTemplate } from "./adaptTemplate.ts"
import { plainRules } from "./PlanRules.ts"
import { readRequirements } from "../Requirement.ts"

const adapt = (...written: Parameters<typeof readRequirements>[0]) =>
  adaptTemplate({
    templates,
    rules: plainRules(readRequirements(written)),
    tools,
    source: "request",
  })

const way = { kind: "task", label: "find a way", tools: ["find_trip"] }

describe("adapting a template without a domain", () => {
  it("keeps what is asked for, drops optional steps, and adds a step for a required tool", () => {
    const { ok, plan, template } = adapt(way, { kind: "tool", label: "book_trip" })
    expect({ ok, template }).toEqual({ ok: true, template: "trip" })
    expect(plan.steps).toMatchObject([
      { id: "found", tool: "find_trip", satisfies: ["task:find a way"] },
      { id: "book_trip", inputs: { trip: "found" }, satisfies: ["tool:book_trip"] },
    ])
  })

  it("leaves an optional slot empty if no step returns its data type", () => {
    const { plan } = adapt(way, { kind: "tool", label: "book_trip" })
    expect(plan.steps[1]?.inputs).toEqual({ trip: "found" })
  })

  it("reports requirements that no tool can meet as uncovered", () => {
    const { ok, uncovered } = adapt(way, { kind: "tool", label: "rent_car" })
    expect({ ok, uncovered }).toEqual({ ok: false, uncovered: ["tool:rent_car"] })
  })

  it("does not plan for a wish to leave something out", () => {
    const { ok, plan } = adapt(way, {
      kind: "exclude",
      label: "mail",
      excludes: { output: "mail" },
    })
    expect(ok).toBe(true)
    expect(plan.steps.map(({ tool }) => tool)).toEqual(["find_trip"])
  })
})
