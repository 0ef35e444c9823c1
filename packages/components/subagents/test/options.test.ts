/** Options of subagents that name what a workflow does not have. */
import type { JsonObject, Known } from "@planloom/plugin/effect"
import { assert, describe, it } from "vitest"
import plugin from "../src/index.ts"

/** A workflow with one file of each kind, and one tool. */
const known: Known = {
  has: ({ id }) => id === "house",
  schemaOf: () => undefined,
  reviewer: () => undefined,
  files: () => [{ name: "house" }],
}

const codes = (id: string, options: JsonObject, around = known): ReadonlyArray<string> =>
  plugin.components!.subagents!.find((one) => one.id === id)!.check!(options, around).map(
    ({ at, code }) => [code, ...at].join(" "),
  )

const intents = (tool: string) => ({
  intents: [
    { name: "send", examples: ["send it"], tools: [tool] },
    { name: "stop", examples: ["stop it"] },
  ],
})

describe("options of subagents", () => {
  it.each([
    ["compliance_checker", { rules: ["house", "hause"] }, "REGULATION001 rules 1"],
    ["context_enricher", { from: ["hause"] }, "OPPORTUNITIES001 from 0"],
    ["intent_validator", intents("hause"), "INTENT001 intents 0 tools 0"],
  ])("of %s that name nothing are reported", (id, options, expected) => {
    assert.deepStrictEqual(codes(id, options), [expected])
  })

  it.each([
    ["compliance_checker", { rules: ["house"] }],
    ["compliance_checker", {}],
    ["context_enricher", { from: ["house"] }],
    ["intent_validator", intents("house")],
  ])("of %s that name what there is pass: %j", (id, options) => {
    assert.deepStrictEqual(codes(id, options), [])
  })

  it.each([
    ["compliance_checker", "REGULATION001"],
    ["context_enricher", "OPPORTUNITIES001"],
  ])("of %s are reported without a file that it could read", (id, expected) => {
    assert.deepStrictEqual(codes(id, {}, { ...known, files: () => [] }), [expected])
  })
})
