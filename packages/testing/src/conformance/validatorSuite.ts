/** What every validator promises. */
import assert from "node:assert/strict"
import type { JsonObject, Validator, Verdict } from "@planloom/plugin/effect"
import { deepFrozen, expectFits, expectId, expectSchema, expectSummary } from "./expectations.ts"
import { expectFinding } from "./findings.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

export interface ValidatorCase {
  readonly name: string
  readonly text: string
  readonly with?: JsonObject
  readonly verdict: Verdict
}

/** Texts that no validator may throw on. */
const hostile = ["", " ", "\u0000", "\ud800", "a ".repeat(2000), "✈️"]

/** Registers the tests of one validator. */
export const validatorSuite = (
  { describe, it }: SuiteRunner,
  validator: Validator,
  cases: ReadonlyArray<ValidatorCase>,
): void => {
  const { id, input = true, summary, validate, window } = validator
  describe(`validator ${id}`, () => {
    it("has an id, a summary, and a usable schema of its options", async () => {
      expectId(id)
      expectSummary(summary, `validator ${id}`)
      expectSchema(input, "its input")
      assert.ok(window === undefined || (Number.isInteger(window) && window > 0), "its window")
    })

    for (const { name, text, verdict, with: options = {} } of cases) {
      it(name, async () => {
        expectFits(options, input, "the options of the case")
        const finding = validate(text, deepFrozen(structuredClone(options)))
        expectFinding(finding, text, "its finding")
        assert.equal(finding.verdict, verdict, finding.reason)
        assert.deepStrictEqual(validate(text, structuredClone(options)), finding)
      })

      it(`${name}: accepts any text`, async () => {
        for (const one of hostile) expectFinding(validate(one, options), one, "its finding")
      })
    }
  })
}
