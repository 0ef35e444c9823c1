/**
 * Replays the assignment vectors of GrowthBook's SDKs, `growthbook/packages/sdk-js/test/cases.json` of github.com/growthbook/growthbook
 * (MIT), from the file that `PLANLOOM_GROWTHBOOK_CASES` names.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import {
  isInPart,
  placeNumber,
  rangesOf,
  rangeWith,
  unitNumber,
} from "../src/experiments/unitNumber.ts"

type Pair = readonly [number, number]

interface Cases {
  readonly hash: ReadonlyArray<readonly [string, string, number, number | null]>
  readonly getBucketRange: ReadonlyArray<
    readonly [string, readonly [number, number, ReadonlyArray<number> | null], ReadonlyArray<Pair>]
  >
  readonly chooseVariation: ReadonlyArray<readonly [string, number, ReadonlyArray<Pair>, number]>
  readonly inNamespace: ReadonlyArray<
    readonly [string, string, readonly [string, number, number], boolean]
  >
}

const file = process.env["PLANLOOM_GROWTHBOOK_CASES"]

/** Its fractions of a whole, as the whole numbers that units are hashed to. */
const scaled = (fraction: number, of: number) => Number((fraction * of).toFixed(6))

const hashes: { readonly [version: number]: (seed: string, unit: string) => number } = {
  1: (seed, unit) => placeNumber(seed, unit) / 1000,
  2: (seed, unit) => unitNumber(seed, unit) / 10_000,
}

/** What GrowthBook makes of weights and a coverage that `check` rejects: equal weights, and the nearest coverage. */
const accepted = (count: number, coverage: number, weights: ReadonlyArray<number> | null) => {
  const sum = weights?.reduce((total, weight) => total + weight, 0) ?? 0
  const isFit = weights?.length === count && sum >= 0.99 && sum <= 1.01
  return {
    shares: isFit ? weights : Array.from({ length: count }, () => 1 / count),
    ramp: Math.min(Math.max(coverage, 0), 1),
  }
}

describe.skipIf(file === undefined)("a vector of GrowthBook's SDKs", () => {
  const given: Cases =
    file === undefined
      ? { hash: [], getBucketRange: [], chooseVariation: [], inNamespace: [] }
      : (JSON.parse(readFileSync(file, "utf8")) as Cases)

  it.each(given.hash)("hash %j, %j by version %j is %j", (seed, unit, version, expected) => {
    assert.strictEqual(hashes[version]?.(seed, unit) ?? null, expected)
  })

  it.each(given.getBucketRange)("getBucketRange: %s", (_, [count, coverage, weights], expected) => {
    const { ramp, shares } = accepted(count, coverage, weights)
    const ranges = rangesOf(
      shares.map((share) => share * 100),
      ramp * 100,
    )
    assert.deepStrictEqual(
      ranges.map(({ from, to }) => [scaled(from, 1e-4), scaled(to, 1e-4)]),
      expected.map(([from, to]) => [scaled(from, 1), scaled(to, 1)]),
    )
  })

  it.each(given.chooseVariation)("chooseVariation: %s", (_, number, ranges, expected) => {
    const whole = ranges.map(([from, to]) => ({
      from: scaled(from, 10_000),
      to: scaled(to, 10_000),
    }))
    assert.strictEqual(rangeWith(scaled(number, 10_000), whole), expected)
  })

  it.each(given.inNamespace)("inNamespace: %s", (_, unit, [name, from, to], expected) => {
    const part = { name, from: scaled(from, 100), to: scaled(to, 100) }
    assert.strictEqual(isInPart(part, unit), expected)
  })
})
