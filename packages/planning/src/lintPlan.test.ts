import { describe, expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { tools } from "../test/travel.ts"
import { lintPlan } from "./lintPlan.ts"
import type { Plan, Step } from "./Plan.ts"
import { parallelLevels } from "./planGraph.ts"
import { repairParams } from "./repairParams.ts"

const step = (id: string, tool: string, parts: Partial<Step> = {}): Step => ({
  id,
  tool,
  inputs: {},
  params: {},
  satisfies: [],
  ...parts,
})

const found = step("found", "find_trip", { inputs: { request: "source" } })
const booked = step("booked", "book_trip", { inputs: { trip: "found" } })

const lint = (...steps: ReadonlyArray<Step>) => lintPlan({ steps }, tools, { source: "request" })

describe("the lint of a plan", () => {
  it("passes a step whose optional slot is empty, and reports an empty required one", () => {
    expect(lint(found, booked)).toEqual([])
    expect(lint(found, { ...booked, inputs: {} })).toMatchObject([
      { code: "missing_input", path: "inputs.trip", message: "book_trip needs a trip as trip" },
    ])
  })

  it("checks the data type of an optional slot that is filled", () => {
    const wrong = { ...booked, inputs: { trip: "found", verdict: "found" } }
    expect(lint(found, wrong)).toMatchObject([
      { code: "wrong_data_type", message: "verdict must be a verdict, and found gives trip" },
    ])
  })

  it("refuses an argument of a tool that declares none", () => {
    expect(lint(step("s1", "now", { params: { bogus: 1 } }))).toMatchObject([
      {
        code: "unknown_param",
        step: "s1",
        path: "params.bogus",
        message: "now has no argument bogus",
      },
    ])
  })

  it.each<[string, Tool["params"], ReadonlyArray<string>]>([
    ["an empty list of properties", { type: "object", properties: {} }, ["unknown_param"]],
    ["no more properties", { type: "object", additionalProperties: false }, ["unknown_param"]],
    ["no schema", true, []],
    ["any other property", { type: "object", properties: {}, additionalProperties: true }, []],
    [
      "other properties of a type",
      { type: "object", properties: {}, additionalProperties: { type: "string" } },
      ["mistyped_param"],
    ],
  ])("treats an undeclared argument as the schema says: %s", (_, params, codes) => {
    const [now] = tools.filter(({ name }) => name === "now")
    const plan: Plan = { steps: [step("s1", "now", { params: { bogus: 1 } })] }
    expect(lintPlan(plan, [{ ...now!, params }]).map(({ code }) => code)).toEqual(codes)
  })

  it("removes the argument of a tool that declares none when it repairs the call", () => {
    const now = tools.find(({ name }) => name === "now")!
    expect(repairParams(now, { bogus: 1 })).toMatchObject({
      params: {},
      repairs: [{ rule: "drop_param", path: "params.bogus" }],
      mismatches: [],
    })
  })

  it("lets source fill any slot where its data type is unknown", () => {
    const plan: Plan = { steps: [{ ...booked, inputs: { trip: "source" } }] }
    expect(lintPlan(plan, tools)).toEqual([])
    expect(lintPlan(plan, tools, { source: "request" })).toMatchObject([
      { code: "wrong_data_type" },
    ])
  })
})

describe("declared dependencies", () => {
  it("pass when they name everything the step reads, and more", () => {
    const clock = step("clock", "now")
    expect(lint(found, clock, { ...booked, needs: ["found", "clock"] })).toEqual([])
  })

  it("are reported when the step reads a step that they do not name", () => {
    const clock = step("clock", "now")
    expect(lint(found, clock, { ...booked, needs: ["clock"] })).toEqual([
      {
        code: "undeclared_dependency",
        step: "booked",
        path: "needs",
        message: "booked reads found and does not declare that it needs it",
        suggestion: "found",
      },
    ])
  })

  it("are reported when they name a step that is not there", () => {
    expect(lint(found, { ...booked, needs: ["found", "foound"] })).toEqual([
      {
        code: "dangling_dependency",
        step: "booked",
        path: "needs.1",
        message: "booked needs foound, which is not a step of the plan",
        suggestion: "found",
      },
    ])
  })

  it("are not asked of a plan that declares none", () => {
    expect(lint(found, booked)).toEqual([])
  })

  it("order steps that share no data, and count in a cycle", () => {
    const clock = step("clock", "now", { needs: ["booked"] })
    const ordered = parallelLevels({ steps: [clock, found, booked] })
    expect(ordered.ok && ordered.levels.map((level) => level.map(({ id }) => id))).toEqual([
      ["found"],
      ["booked"],
      ["clock"],
    ])
    const circle = { ...booked, needs: ["found", "clock"] }
    expect(lint(found, circle, clock).map(({ code }) => code)).toContain("cycle")
  })
})
