/** What every validator promises. */
import assert from "node:assert/strict"
import type { Draft, JsonObject, ReviewDraft, Validator, Verdict } from "@planloom/plugin/effect"
import { deepFrozen, expectFits, expectId, expectSchema, expectSummary } from "./expectations.ts"
import { expectFinding } from "./findings.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

export interface ValidatorCase {
  readonly name: string
  readonly text: string
  readonly with?: JsonObject
  /** What led to the text. */
  readonly draft?: Partial<Omit<ReviewDraft, "text">>
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
  const { id, input = true, pending, summary, validate, window } = validator
  describe(`validator ${id}`, () => {
    it("has an id, a summary, and a usable schema of its options", async () => {
      expectId(id)
      expectSummary(summary, `validator ${id}`)
      expectSchema(input, "its input")
      assert.ok(window === undefined || (Number.isInteger(window) && window > 0), "its window")
    })

    for (const { draft = {}, name, text, verdict, with: options = {} } of cases) {
      it(name, async () => {
        expectFits(options, input, "the options of the case")
        const finding = validate(text, deepFrozen(structuredClone(options)), draftOf(text, draft))
        expectFinding(finding, text, "its finding")
        assert.equal(finding.verdict, verdict, finding.reason)
        assert.deepStrictEqual(
          validate(text, structuredClone(options), draftOf(text, draft)),
          finding,
        )
      })

      if (pending !== undefined) {
        it(`${name}: holds back an end of any text`, async () => {
          for (const one of [text, ...hostile]) {
            const start = pending(one, options)
            assert.ok(Number.isInteger(start) && start >= 0 && start <= one.length, `${start}`)
          }
        })
      }

      it(`${name}: accepts any text`, async () => {
        for (const one of hostile) {
          expectFinding(validate(one, options, draftOf(one, draft)), one, "its finding")
        }
      })
    }
  })
}

const draftOf = (text: string, draft: ValidatorCase["draft"]): Draft =>
  deepFrozen({
    text,
    request: "",
    part: { start: 0, end: text.length, last: true },
    turns: [],
    calls: [],
    data: null,
    ...draft,
  })
