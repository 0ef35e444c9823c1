/** Figures against values that others have published or that can be worked out by hand. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { effectiveTrials, quantile, signTest, spreadOf, wilson } from "./statistics.ts"
import { cases } from "../../../../../.config/cases.ts"

describe("Wilson's interval", () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998) 857–872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("is what Newcombe gives for %i of %i", (passed, trials, low, high) => {
    const [from, to] = wilson(passed / trials, trials)
    assert.closeTo(from, low, 0.00005)
    assert.closeTo(to, high, 0.00005)
  })

  it("holds the share, stays within 0 and 1, and narrows with more trials", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), fc.integer({ min: 1, max: 1000 }), (a, trials) => {
        const share = Math.min(a, trials) / trials
        const [low, high] = wilson(share, trials)
        const [lower, higher] = wilson(share, trials * 4)
        assert.isTrue(0 <= low && low <= share && share <= high && high <= 1)
        assert.isTrue(higher - lower < high - low)
      }),
    )
  })

  it("says nothing without trials", () => {
    assert.deepStrictEqual(wilson(0, 0), [0, 1])
  })
})

describe("runs of one case", () => {
  const ofCases = (...passed: ReadonlyArray<number>) =>
    passed.map((one) => ({ runs: 5, passed: one }))

  it("that all end alike count once", () => {
    assert.strictEqual(effectiveTrials(ofCases(5, 5, 5, 5, 5, 5, 0, 0, 0, 0)), 10)
    assert.strictEqual(effectiveTrials(ofCases(5, 5, 5)), 3)
  })

  it("that differ as independent ones do count each", () => {
    // As two coins would: 1, 4, 6, 4, 1 heads in four throws, five of them in five.
    assert.strictEqual(effectiveTrials(ofCases(2, 3, 2, 3, 2, 3)), 30)
  })

  it("count somewhere between where cases are partly alike", () => {
    // Share 0.5; variance between: 4/3 · (4 · 2.5² − …) worked out below; of 20 independent runs: 0.0125.
    const between = ((4 / 3) * (2 * 1.5 ** 2 + 2 * 0.5 ** 2)) / 20 ** 2
    const expected = 20 / Math.max(1, between / 0.0125)
    assert.closeTo(effectiveTrials(ofCases(4, 1, 3, 2)), expected, 1e-9)
    const apart = ((4 / 3) * (2 * 2.5 ** 2 + 2 * 1.5 ** 2)) / 20 ** 2
    assert.closeTo(effectiveTrials(ofCases(5, 0, 4, 1)), 20 / (apart / 0.0125), 1e-9)
  })

  it("count as themselves where each case has one", () => {
    const one = (passed: number) => ({ runs: 1, passed })
    assert.strictEqual(effectiveTrials([one(1), one(0), one(1), one(1)]), 4)
  })
})

describe("the sign test", () => {
  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [6, 0, 2 / 64],
    [2, 8, (2 * (1 + 10 + 45)) / 1024],
    [5, 5, 1],
  ])("of %i better and %i worse is exact", (better, worse, p) => {
    assert.closeTo(signTest(better, worse), p, 1e-12)
  })

  it("does not care which side is which, and copes with thousands", () => {
    fc.assert(
      fc.property(fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 }), (a, b) => {
        const p = signTest(a, b)
        assert.isTrue(p >= 0 && p <= 1)
        assert.strictEqual(p, signTest(b, a))
      }),
      { numRuns: cases(30) },
    )
  })
})

describe("a quantile", () => {
  it("lies between two values as R's default has it", () => {
    const ten = Array.from({ length: 10 }, (_, at) => at + 1)
    assert.closeTo(quantile(ten, 0.95)!, 9.55, 1e-12)
    assert.strictEqual(quantile([1, 2, 3, 4], 0.5), 2.5)
    assert.strictEqual(quantile([7], 0.95), 7)
    assert.isNull(quantile([], 0.5))
  })

  it("and a mean do not depend on the order of the values", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 })), (values) => {
        assert.deepStrictEqual(spreadOf(values.toReversed()), spreadOf(values))
      }),
    )
    const none = { count: 0, mean: null, p50: null, p95: null, min: null, max: null }
    assert.deepStrictEqual(spreadOf([]), none)
  })
})
