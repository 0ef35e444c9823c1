/** Numbers, ranges and namespaces of units: published vectors of GrowthBook's hash, its SDK as the reference, and edges. */
import { GrowthBook } from "@growthbook/growthbook"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import { hashedAssignment } from "./assignVariant.ts"
import { isInPart, placeNumber, rangesOf, unitNumber } from "./unitNumber.ts"

describe("unitNumber", () => {
  // From `cases.json` of GrowthBook's SDKs, version 2 of the hash.
  it.each([
    ["seed", "a", 505],
    ["seed", "b", 2696],
    ["foo", "ab", 2575],
    ["foo", "def", 2019],
    ["89123klj", "8952klfjas09ujkasdf", 1240],
    ["90850943850283058242805", "123", 7516],
    ["()**(%$##$%#$#", '___)((*":&', 128],
  ] as const)("of the salt %j and the unit %j is GrowthBook's", (salt, unit, expected) => {
    assert.strictEqual(unitNumber(salt, unit), expected)
  })
})

describe("a part of a namespace", () => {
  it("has the units at its beginning, and none at its end, whatever the percentage", () => {
    const unitAt = new Map<number, string>()
    for (let index = 0; unitAt.size < 1000; index++) {
      unitAt.set(placeNumber("__checkout", `user-${index}`), `user-${index}`)
    }
    for (let percent = 0; percent < 100; percent++) {
      const unit = unitAt.get(percent * 10)!
      const at = (from: number, to: number) => isInPart({ name: "checkout", from, to }, unit)
      assert.isTrue(at(percent, 100), `${percent} % begins`)
      assert.isFalse(at(0, percent), `${percent} % ends`)
    }
  })
})

const wholePercentages = fc
  .tuple(fc.nat({ max: 100 }), fc.nat({ max: 100 }), fc.nat({ max: 100 }))
  .map((cuts) => [0, ...cuts.toSorted((one, other) => one - other), 100])
  .map((cuts) => cuts.slice(1).map((cut, index) => cut - cuts[index]!))

describe("an experiment", () => {
  it("assigns each unit the variant that GrowthBook's SDK gives it", () => {
    fc.assert(
      fc.property(
        fc.record({
          unit: fc.string({ minLength: 1 }),
          salt: fc.string({ minLength: 1 }),
          shares: wholePercentages,
          ramp: fc.nat({ max: 100 }),
          part: fc.option(fc.tuple(fc.nat({ max: 100 }), fc.nat({ max: 100 }))),
        }),
        ({ part, ramp, salt, shares, unit }) => {
          const number = unitNumber(salt, unit)
          // There its fractions round: 0.1 + 0.2 is more than 0.3.
          fc.pre(rangesOf(shares, ramp).every(({ from, to }) => number !== from && number !== to))
          const names = shares.map((_, index) => `v${index}`)
          const own = hashedAssignment(
            "tone",
            {
              variants: Object.fromEntries(names.map((name, index) => [name, shares[index]!])),
              salt,
              ramp: `${ramp}%`,
              ...(part && { namespace: { name: "house", from: part[0], to: part[1] } }),
            },
            unit,
          )
          const reference = new GrowthBook({ attributes: { id: unit } })
          const { inExperiment, variationId } = reference.run({
            key: "tone",
            seed: salt,
            hashVersion: 2,
            variations: [names[0]!, names[1]!, ...names.slice(2)],
            weights: shares.map((share) => share / 100),
            coverage: ramp / 100,
            ...(part && { namespace: ["house", part[0] / 100, part[1] / 100] }),
          })
          reference.destroy()
          assert.strictEqual(own.reason === "hash", inExperiment)
          assert.strictEqual(own.variant, names[variationId])
        },
      ),
      { numRuns: cases(1000) },
    )
  })
})
