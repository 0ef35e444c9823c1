/** Suites of hooks, validators and subagents: they pass what keeps the contract and catch what breaks it. */
import { describe, expect, it } from "vitest"
import { hook, subagent, validator } from "@planloom/plugin"
import type { AnyHook, Finding, Subagent, Validator } from "@planloom/plugin/effect"
import { hookSuite, type HookCase } from "./hookSuite.ts"
import { subagentSuite, type SubagentCase } from "./subagentSuite.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"
import { validatorSuite, type ValidatorCase } from "./validatorSuite.ts"

/** Messages of the tests that fail among those that a suite registers. */
const failing = async (register: (runner: SuiteRunner) => void): Promise<ReadonlyArray<string>> => {
  const tests: Array<() => Promise<void>> = []
  register({ describe: (_, body) => body(), it: (_, body) => tests.push(body) })
  const messages: Array<string> = []
  for (const test of tests) {
    await test().catch((error: Error) => messages.push(error.message.split("\n")[0]!))
  }
  expect(tests.length).toBeGreaterThan(1)
  return messages
}

const upper = (run: (text: string) => unknown): AnyHook =>
  hook({
    id: "upper",
    summary: "Changes a section.",
    point: "section_build",
    kind: "transform",
    run: async ({ text }) => run(text) as { readonly text: string },
  })

const section: HookCase<"section_build"> = {
  name: "changes the text",
  draft: { id: "a", text: "hi", source: "test", stable: true, tokens: 1 },
}

describe("the suite of hooks", () => {
  const check = (one: AnyHook) => failing((runner) => hookSuite(runner, one, [section]))

  it("passes a transform that returns its own field", async () => {
    expect(await check(upper((text) => ({ text: text.toUpperCase() })))).toEqual([])
  })

  it("catches a field that belongs to another, and a value that does not fit the point", async () => {
    expect(await check(upper(() => ({ id: "b" })))).toEqual([
      "a transform at section_build returned id",
    ])
    expect(await check(upper(() => ({ text: 1 })))).toHaveLength(1)
  })

  it("catches a transform that returns something else each time", async () => {
    let count = 0
    expect(await check(upper(() => ({ text: `${++count}` })))).toEqual([
      expect.stringContaining("it returned something else"),
    ])
  })
})

const length = (finding: (text: string) => Partial<Finding>): Validator =>
  validator({
    id: "length",
    summary: "Limits the length.",
    validate: (text) => ({ verdict: "pass", confidence: 1, reason: "short", ...finding(text) }),
  })

describe("the suite of validators", () => {
  const cases: ReadonlyArray<ValidatorCase> = [{ name: "passes", text: "hi", verdict: "pass" }]
  const check = (one: Validator) => failing((runner) => validatorSuite(runner, one, cases))

  it("passes one that finds the expected verdict", async () => {
    expect(await check(length(() => ({})))).toEqual([])
  })

  it("catches another verdict, a wrong confidence, a foreign span, and a throw on any text", async () => {
    expect(await check(length(() => ({ verdict: "block" })))).toEqual(["short"])
    expect(await check(length(() => ({ confidence: 2 })))).toContain(
      "the confidence of its finding is 2",
    )
    expect(await check(length(() => ({ spans: [{ start: 0, end: 90_000 }] })))).toContain(
      "a span of its finding is outside of the text: 0 to 90000",
    )
    const throwing = length((text) => {
      if (text === "") throw new Error("no text")
      return {}
    })
    expect(await check(throwing)).toEqual(["no text"])
  })
})

const asking = (can: Subagent["can"]): Subagent =>
  subagent({
    id: "asking",
    summary: "Asks the model.",
    class: "quality",
    can,
    at: "whole",
    scope: "last",
    review: async ({ text }, { model }) => {
      const reply = await model.text({ messages: [{ role: "user", content: text }] })
      return { verdict: reply.text === "ok" ? "pass" : "flag", confidence: 1, reason: reply.text }
    },
  })

describe("the suite of subagents", () => {
  const cases: ReadonlyArray<SubagentCase> = [
    { name: "flags", draft: { text: "hi" }, replies: [{ text: "hm" }], verdict: "flag" },
  ]
  const check = (one: Subagent) => failing((runner) => subagentSuite(runner, one, cases))

  it("passes one that finds the expected verdict and can be interrupted", async () => {
    expect(await check(asking(["pass", "flag"]))).toEqual([])
  })

  it("catches a verdict that it does not declare", async () => {
    expect(await check(asking(["pass"]))).toEqual([expect.stringContaining("flag")])
  })
})
