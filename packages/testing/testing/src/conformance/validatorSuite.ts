/** What every validator promises. */
import assert from "node:assert/strict"
import type {
  Draft,
  JsonObject,
  ReviewDraft,
  Span,
  Validator,
  Verdict,
} from "@planloom/plugin/effect"
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

      if (window !== undefined) {
        it(`${name}: finds the same in a streamed text`, async () => {
          const whole = validate(text, options, draftOf(text, draft)).spans ?? []
          for (const size of [1, 5, 16]) {
            const read = (part: string) => validate(part, options, draftOf(part, draft)).spans ?? []
            const found = streamedSpans(validator, options, read, text, size)
            assert.deepStrictEqual(found, whole, `in parts of ${size} characters`)
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

/** The places that a gate finds in parts of a text: it reads each with the open end before it, and its lookbehind. */
const streamedSpans = (
  { lookbehind, pending, window = 0 }: Validator,
  options: JsonObject,
  read: (text: string) => ReadonlyArray<Span>,
  text: string,
  size: number,
): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  let settled = 0
  for (let end = size; settled < text.length; end += size) {
    const from = Math.max(0, settled - (lookbehind ?? window))
    const part = text.slice(from, end)
    const open = pending?.(part, options) ?? Math.max(0, part.length - window)
    let until = end >= text.length ? text.length : Math.max(settled, from + open)
    const places = read(part)
      .map((span) => ({ ...span, start: from + span.start, end: from + span.end }))
      .filter((span) => span.end > settled)
    until = Math.min(until, ...places.filter((one) => one.end > until).map(({ start }) => start))
    found.push(...places.filter((one) => one.end <= until))
    settled = Math.max(settled, until)
  }
  return found
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
