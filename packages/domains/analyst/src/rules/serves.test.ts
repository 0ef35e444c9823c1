import { describe, expect, it } from "vitest"
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import type { Step } from "@planloom/planning"
import { asking } from "../../test/sales.ts"
import type { Constraint } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import { serves } from "./serves.ts"

const tool = (name: string, capabilities: ReadonlyArray<string>, names: JsonObject): Tool => ({
  name,
  summary: name,
  capabilities,
  inputs: { table: "table" },
  params: { type: "object", properties: names },
  outputs: ["table"],
})
const many = { type: "array", items: { type: "string" } }
const whole = { type: "integer" }
const tools = [
  tool("top_n", ["ranking"], { limit: whole, within: many }),
  tool("moving_average", ["moving_average"], { column: { type: "string" }, window: whole }),
  tool("share", ["share"], { metrics: many }),
]

const how = (name: string, params: JsonObject, constraint: Constraint): string => {
  const step: Step = { id: "s", tool: name, inputs: { table: "source" }, params, satisfies: [] }
  const requirements = asking({
    metrics: ["revenue"],
    analysis: ["moving_average"],
    constraints: [constraint],
  })
  const requirement = listRequirements(requirements).find(({ kind }) => kind === constraint.kind)
  if (requirement === undefined) throw new Error("no such requirement")
  return serves(requirement, step, { plan: { steps: [step] }, requirements, tools }).how
}

describe("serving a requirement", () => {
  const top = { kind: "top_n", n: 5, order: "desc" } as const

  it("limits per group only if the requirement does", () => {
    const each = { ...top, per: "region" }
    expect(how("top_n", { limit: 5, within: ["region"] }, each)).toBe("fulfils")
    expect(how("top_n", { limit: 5 }, each)).toBe("no")
    expect(how("top_n", { limit: 5, within: ["category"] }, each)).toBe("no")
    expect(how("top_n", { limit: 5 }, top)).toBe("fulfils")
    expect(how("top_n", { limit: 5, within: ["region"] }, top)).toBe("no")
  })

  it("uses the requested window of a moving average", () => {
    const seven = { kind: "window", n: 7 } as const
    expect(how("moving_average", { column: "revenue", window: 7 }, seven)).toBe("fulfils")
    expect(how("moving_average", { column: "revenue", window: 3 }, seven)).toBe("no")
  })

  it("rejects a special analysis that no requirement asks for", () => {
    expect(how("share", { metrics: ["revenue"] }, top)).toBe("no")
  })
})
