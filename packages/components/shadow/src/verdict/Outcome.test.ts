/** Outcomes of several reviews: laws that hold for all of them. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { verdicts } from "@planloom/plugin/effect"
import { combine, noReviews, outcomeOf, severity, type Judged } from "./Outcome.ts"

const judged: fc.Arbitrary<Judged> = fc.record({
  reviewer: fc.constantFrom("a", "b"),
  order: fc.nat({ max: 3 }),
  cause: fc.constantFrom("verdict", "timeout", "error", "invalid"),
  ms: fc.nat({ max: 9 }),
  finding: fc.record({
    verdict: fc.constantFrom(...verdicts),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    reason: fc.string({ maxLength: 4 }),
  }),
})
const outcome = fc.array(judged, { maxLength: 5 }).map((all) => outcomeOf(...all))

const law = (property: fc.IProperty<any>) => fc.assert(property, { numRuns: 300 })

describe("outcomes of reviews", () => {
  it("combine associatively", () => {
    law(
      fc.property(outcome, outcome, outcome, (a, b, c) => {
        expect(combine(combine(a, b), c)).toEqual(combine(a, combine(b, c)))
      }),
    )
  })

  it("combine commutatively", () => {
    law(
      fc.property(outcome, outcome, (a, b) => {
        expect(combine(a, b)).toEqual(combine(b, a))
      }),
    )
  })

  it("have no reviews as their neutral element", () => {
    law(
      fc.property(outcome, (a) => {
        expect(combine(a, noReviews)).toEqual(a)
      }),
    )
  })

  it("are never milder than one of their reviews, and as severe as one of them", () => {
    law(
      fc.property(fc.array(judged), judged, (all, more) => {
        const before = severity(outcomeOf(...all).verdict)
        const after = severity(outcomeOf(...all, more).verdict)
        expect(after).toBe(Math.max(before, severity(more.finding.verdict)))
      }),
    )
  })
})
