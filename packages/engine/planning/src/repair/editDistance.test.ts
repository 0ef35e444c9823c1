import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { editDistance, nearest } from "../index.ts"

describe("edit distance", () => {
  it.each([
    ["region", "region", 0],
    ["reigon", "region", 1],
    ["revnue", "revenue", 1],
    ["units", "unit", 1],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
  ] as const)("%s and %s differ by %i", (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance)
  })

  it("law: is symmetric, zero only for equals, and never more than the longer word", () => {
    const word = fc.string({ maxLength: 12 })
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right)
        expect(editDistance(right, left)).toBe(distance)
        expect(distance === 0).toBe(left === right)
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length))
        expect(editDistance(left, right, 2)).toBe(Math.min(distance, 3))
      }),
    )
  })

  it("nearest returns the closest name, undefined if two are equally close", () => {
    expect(nearest("Product Category", ["product_category", "region"])).toBe("product_category")
    expect(nearest("salez", ["sales", "saler"])).toBeUndefined()
    expect(nearest("zzz", ["sales"])).toBeUndefined()
  })
})
