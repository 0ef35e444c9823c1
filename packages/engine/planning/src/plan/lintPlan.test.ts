import { describe, expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { tools } from "../../test/travel.ts"
import { lintPlan } from "./lintPlan.ts"
import type { Plan, Step } from "./Plan.ts"
import { parallelLevels } from "./planGraph.ts"
import { repairParams } from "../repair/repairParams.ts"
import { repairStep } from "../repair/repairStep.ts"

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

  it("keeps an argument that a tool which writes does not declare, and reports it", () => {
    const send = tools.find(({ name }) => name === "send_mail")!
    expect(repairParams(send, { dry_run: true })).toMatchObject({
      params: { dry_run: true },
      repairs: [],
      mismatches: [{ path: ["dry_run"], code: "unknown" }],
    })
    expect(repairParams(send, { dry_run: null })).toMatchObject({ params: {}, mismatches: [] })
  })

  it("reads names and choices of a tool that writes by case and separators alone", () => {
    const pay: Tool = {
      ...tools.find(({ name }) => name === "book_trip")!,
      params: {
        type: "object",
        additionalProperties: false,
        properties: { travelClass: { type: "string", enum: ["first_class", "second_class"] } },
      },
    }
    expect(repairParams(pay, { travel_class: "Second Class" }).params).toEqual({
      travelClass: "second_class",
    })
    expect(repairParams(pay, { travelClas: "second_class" }).mismatches).toHaveLength(1)
    expect(repairParams(pay, { travelClass: "secnd_class" }).mismatches).toHaveLength(1)
    expect(repairParams({ ...pay, effect: "read" }, { travelClas: "secnd_class" }).params).toEqual({
      travelClass: "second_class",
    })
  })

  it("keeps an argument that the schema leaves open where the call is not of a plan", () => {
    const open: Tool = {
      ...tools.find(({ name }) => name === "now")!,
      params: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
    }
    expect(repairParams(open, { n: "1", more: 2 }, { keepsUndeclared: true }).params).toEqual({
      n: 1,
      more: 2,
    })
    expect(repairParams(open, { n: "1", more: 2 }).params).toEqual({ n: 1 })
  })

  it("accepts what a tool normalizes as anything, and leaves out what it fills", () => {
    const [trip] = tools
    const normal: Tool = {
      ...trip!,
      params: { ...(trip!.params as object), required: ["to", "class"] },
      normalize: { class: "'second'" },
      defaults: { to: "'Rome'" },
    }
    const plan = { steps: [{ ...found, params: { class: "2nd" } }] }
    expect(lintPlan(plan, [normal])).toEqual([])
    expect(lintPlan(plan, [trip!]).map(({ code }) => code)).toEqual(["mistyped_param"])
    expect(repairStep(plan.steps[0]!, plan, [normal]).repairs).toEqual([])
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
