import { describe, expect, it } from "vitest"
import { tools } from "../../test/travel.ts"
import { coverage } from "./coverage.ts"
import type { OrderRule } from "./OrderRule.ts"
import type { Plan, Step } from "./Plan.ts"
import { plainRules } from "./PlanRules.ts"
import type { PlanRules } from "./PlanRules.ts"
import { readRequirements } from "../Requirement.ts"

const step = (id: string, tool: string, parts: Partial<Step> = {}): Step => ({
  id,
  tool,
  inputs: {},
  params: {},
  satisfies: [],
  ...parts,
})

const found = step("found", "find_trip", {
  inputs: { request: "source" },
  satisfies: ["task:find a way there"],
})
const booked = step("booked", "book_trip", {
  inputs: { trip: "found" },
  satisfies: ["tool:book_trip"],
})

const rules = plainRules(
  readRequirements([
    { kind: "task", label: "find a way there", tools: ["find_trip", "ask_agent"] },
    { kind: "tool", label: "book_trip" },
  ]),
)

describe("coverage of requirements without a domain", () => {
  it("passes a plan that uses the required tool and does the required task", () => {
    const plan: Plan = { steps: [found, booked] }
    expect(coverage(plan, rules, tools)).toMatchObject({ ok: true, text: "" })
  })

  it("reports a required tool that is not used and a task that no step does", () => {
    const report = coverage({ steps: [] }, rules, tools)
    expect(report.ok).toBe(false)
    expect(report.missing).toEqual({ task: ["find a way there"], tool: ["book_trip"] })
    expect(report.text).toBe("Missing coverage: task=[find a way there], tool=[book_trip]")
  })

  it("rejects a citation by a tool that is not one of the task's tools", () => {
    const wrong = { ...booked, satisfies: ["task:find a way there", "tool:book_trip"] }
    const report = coverage({ steps: [found, wrong] }, rules, tools)
    expect(report.issues).toEqual([
      {
        code: "false_citation",
        step: "booked",
        requirement: "task:find a way there",
        message: "booked cites task:find a way there, but only find_trip or ask_agent does it",
      },
    ])
  })

  it("decides a task without tools and an output by the tools' declarations", () => {
    const declared = plainRules(
      readRequirements([
        { kind: "task", label: "booking" },
        { kind: "output", label: "trip" },
      ]),
    )
    const plan: Plan = {
      steps: [
        { ...found, satisfies: ["output:trip"] },
        { ...booked, satisfies: ["task:booking"] },
      ],
    }
    expect(coverage(plan, declared, tools).ok).toBe(true)
    const swapped: Plan = {
      steps: [
        { ...found, satisfies: ["task:booking"] },
        { ...booked, satisfies: ["output:trip"] },
      ],
    }
    expect(coverage(swapped, declared, tools).missing).toEqual({
      task: ["booking"],
      output: ["trip"],
    })
  })

  it("rejects a step with an excluded data type", () => {
    const without = plainRules([
      ...rules.requirements,
      ...readRequirements([{ kind: "exclude", label: "mail", excludes: { output: "mail" } }]),
    ])
    const mail = step("mail", "send_mail", {
      inputs: { booking: "booked" },
      satisfies: ["tool:book_trip"],
    })
    const report = coverage({ steps: [found, booked, mail] }, without, tools)
    expect(report.issues.map(({ code }) => code)).toEqual([
      "false_citation",
      "uncited",
      "forbidden_output",
    ])
    expect(report.counts.requirements).toBe(2)
  })
})

describe("order rules", () => {
  const checked: OrderRule = {
    code: "check_before_booking",
    first: ["check"],
    later: { gives: "booking" },
    missing: "check_rules",
    message: "{step} books before {label}",
  }
  const ordered: PlanRules = {
    requirements: readRequirements([
      { kind: "check", label: "the rules", tools: ["check_rules"] },
      { kind: "tool", label: "book_trip" },
    ]),
    serves: () => ({ how: "no", reason: "the domain knows no more" }),
    order: [checked],
  }
  const verdict = step("verdict", "check_rules", {
    inputs: { trip: "found" },
    satisfies: ["check:the rules"],
  })

  it("pass where the data of the later step comes from the earlier one", () => {
    const after = { ...booked, inputs: { trip: "found", verdict: "verdict" } }
    expect(coverage({ steps: [found, verdict, after] }, ordered, tools).order).toEqual([])
  })

  it("report the step that comes too early and the step it should read", () => {
    const { order, text } = coverage({ steps: [found, verdict, booked] }, ordered, tools)
    expect(order).toEqual([
      {
        code: "check_before_booking",
        step: "booked",
        before: "verdict",
        requirement: "check:the rules",
        message: "booked books before the rules",
      },
    ])
    expect(text).toContain("Fix order: check_rules before book_trip for check:the rules")
  })

  it("name the missing step where no step comes first", () => {
    const { order } = coverage({ steps: [found, booked] }, ordered, tools)
    expect(order).toMatchObject([{ step: "booked", missing: "check_rules" }])
    const { missing: _, ...lenient } = checked
    const relaxed = { ...ordered, order: [lenient] }
    expect(coverage({ steps: [found, booked] }, relaxed, tools).order).toEqual([])
  })
})
