/** Money keeps every price and loses what adding has left behind. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { dollars } from "./dollars.ts"

it("dollars removes floating-point noise of a sum", () => {
  expect(dollars(7.600000000000002e-6)).toBe(0.0000076)
  expect(dollars(0.1 + 0.2)).toBe(0.3)
  expect(dollars(Infinity)).toBe(Infinity)
})

it("dollars gives the same sum of millionths of a cent for any order of addition", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 50 }), (parts) => {
      const total = parts.reduce((sum, part) => sum + part, 0)
      expect(parts.reduce((sum, part) => dollars(sum + part / 1e8), 0)).toBe(total / 1e8)
    }),
  )
})
