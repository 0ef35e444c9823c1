/** Intervals and tests, compared with published examples and tables. */
import { assert, describe, it } from "vitest"
import {
  chiSquareTest,
  meanInterval,
  newcombe,
  sampleOf,
  welch,
  wilson,
  type Interval,
} from "./statistics.ts"

const bounds = ({ high, low }: Interval): ReadonlyArray<number> =>
  [low, high].map((bound) => Math.round(bound * 10_000) / 10_000)

describe("wilson", () => {
  // Newcombe 1998, Statistics in Medicine 17, 857-872, table I: the score method without continuity correction.
  it.each([
    [81, 263, [0.2553, 0.3662]],
    [15, 148, [0.0624, 0.1605]],
    [0, 20, [0, 0.1611]],
    [1, 29, [0.0061, 0.1718]],
  ] as const)("of %d in %d has the published bounds", (hits, count, expected) => {
    assert.deepStrictEqual(bounds(wilson(hits, count)), [...expected])
  })
})

describe("newcombe", () => {
  // Newcombe 1998, Statistics in Medicine 17, 873-890, table II: method 10.
  it.each([
    [56, 70, 48, 80, [0.0524, 0.3339]],
    [9, 10, 3, 10, [0.1705, 0.809]],
    [6, 7, 2, 7, [0.0582, 0.8062]],
    [5, 56, 0, 29, [-0.0381, 0.1926]],
    [10, 10, 0, 10, [0.6075, 1]],
  ] as const)("of %d/%d - %d/%d has the published bounds", (a, m, b, n, expected) => {
    assert.deepStrictEqual(bounds(newcombe(wilson(a, m), wilson(b, n))), [...expected])
  })
})

describe("welch", () => {
  it("has Student's bounds for equal samples, and narrows as they grow", () => {
    // t(0.975) of 8 degrees is 2.306004, of 4 degrees 2.776445.
    const sample = sampleOf([1, 2, 3, 4, 5])
    const { high, low } = welch(sample, sample)
    assert.approximately(high, 2.306004 * Math.sqrt(2 * (2.5 / 5)), 1e-5)
    assert.approximately(low, -high, 1e-12)
    assert.approximately(meanInterval(sample).high, 3 + 2.776445 * Math.sqrt(2.5 / 5), 1e-5)
  })

  it("of samples of other variances has the degrees of freedom of Welch and Satterthwaite", () => {
    // (7.9 / 15 + 3.8 / 15)² / ((7.9 / 15)² / 14 + (3.8 / 15)² / 14) = 24.99; t(0.975) of 25 degrees is 2.059539.
    const one = { count: 15, mean: 20.8, variance: 7.9 }
    const other = { count: 15, mean: 23, variance: 3.8 }
    const { high, low } = welch(one, other)
    const half = 2.059539 * Math.sqrt(11.7 / 15)
    assert.approximately(low, -2.2 - half, 1e-3)
    assert.approximately(high, -2.2 + half, 1e-3)
  })
})

describe("chiSquareTest", () => {
  // Tables of the distribution: 3.841 at 1 degree and 5.991 at 2 degrees have p = 0.05; 10.828 at 1 degree 0.001.
  it.each([
    [[100, 100], [50, 50], 1],
    [[500 + 30.99, 500 - 30.99], [50, 50], 0.05],
    [[500 + 52.03, 500 - 52.03], [50, 50], 0.001],
    [[400, 300, 300], [34, 33, 33], 0.000_328_36],
  ] as const)("of %j in the shares %j has p = %d", (counts, shares, p) => {
    assert.approximately(chiSquareTest(counts, shares).p, p, p * 0.02)
  })
})
