/** References of a stage kind by the keys of its `with`. */
import { describe, expect, it } from "vitest"
import { refersTo } from "./refersTo.ts"

describe("references by key", () => {
  const refers = refersTo({ template: "PlanTemplate", tools: "tool" })

  it("locate a single name at its key and listed names at their indexes", () => {
    expect(refers({ template: "sales", tools: ["sum", "plot"], text: "hello" })).toEqual([
      { to: "PlanTemplate", id: "sales", at: ["template"] },
      { to: "tool", id: "sum", at: ["tools", 0] },
      { to: "tool", id: "plot", at: ["tools", 1] },
    ])
  })

  it("leave out missing keys and values that are not names", () => {
    expect(refers({ template: 5, tools: ["sum", 1] })).toEqual([
      { to: "tool", id: "sum", at: ["tools", 0] },
    ])
    expect(refers({})).toEqual([])
  })
})
