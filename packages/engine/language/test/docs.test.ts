/** Explanations of diagnostics are complete. */
import { describe, expect, it } from "vitest"
import { explain } from "../src/definition/explain.ts"
import { rules } from "../src/definition/rules/index.ts"

describe("an explanation", () => {
  it.each(rules.map(({ code }) => code))(
    "of %s names the mistake, its effect and the fix",
    (code) => {
      const rule = rules.find((one) => one.code === code)!
      const text = explain(code.toLowerCase())
      for (const part of [code, rule.slug, rule.title, rule.why, rule.fix])
        expect(text).toContain(part)
      expect(rule.title).not.toMatch(/\.$/)
      expect(rule.why).toMatch(/\.$/)
      expect(rule.fix).toMatch(/[.]$/)
      expect(rule.wrong).not.toBe(rule.right)
    },
  )

  it("is found by its slug, and an unknown code gets a suggestion", () => {
    expect(explain("unknown_field")).toContain("PL1201")
    expect(explain("PL1210")).toContain('did you mean "PL12')
  })
})
