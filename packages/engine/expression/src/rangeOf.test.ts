/** Ranges of expressions over flags: no value is outside. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { compileExpression, rangeOf } from "./index.ts"

const bounded = { a: [1, 5], b: [-3, 2], c: [7, 7] } as const
const flags = {
  ...Object.fromEntries(
    Object.entries(bounded).map(([name, [minimum, maximum]]) => [
      name,
      { value: minimum, minimum, maximum, enum: undefined },
    ]),
  ),
  listed: { value: 2, minimum: undefined, maximum: undefined, enum: [2, 4, 9] },
  open: { value: 2, minimum: 0, maximum: undefined, enum: undefined },
  deep: { value: true, minimum: undefined, maximum: undefined, enum: undefined },
}

const expression: fc.Arbitrary<string> = fc.letrec<{ one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: 0, max: 20 }).map(String),
    fc.constantFrom("flags.a", "flags.b", "flags.c", "flags.listed", 'flags["a"]', "flags.open"),
    fc.tuple(tie("one"), tie("one")).map(([yes, no]) => `(flags.deep ? ${yes} : ${no})`),
    fc.array(tie("one"), { minLength: 1, maxLength: 3 }).map((all) => `min([${all.join(", ")}])`),
    fc.array(tie("one"), { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(", ")}].max()`),
    fc.tuple(tie("one"), tie("one")).map(([x, y]) => `{"x": ${x}, "y": ${y}}[experiments.tone]`),
  ),
})).one

const setting = fc.record({
  a: fc.integer({ min: 1, max: 5 }),
  b: fc.integer({ min: -3, max: 2 }),
  c: fc.constant(7),
  listed: fc.constantFrom(2, 4, 9),
  open: fc.nat(),
  deep: fc.boolean(),
})

const seen = { bounded: 0, open: 0 }

it("holds every value that the expression has", () => {
  fc.assert(
    fc.property(expression, setting, fc.constantFrom("x", "y"), (source, given, tone) => {
      const range = rangeOf(source, flags)
      seen[range === undefined ? "open" : "bounded"]++
      if (range === undefined) return
      const value = compileExpression(source).evaluate({ flags: given, experiments: { tone } })
      expect(value).toBeGreaterThanOrEqual(range.min)
      expect(value).toBeLessThanOrEqual(range.max)
    }),
    { numRuns: cases(300) },
  )
  // Most of these expressions have a bound.
  expect(seen.bounded).toBeGreaterThan(seen.open)
})

it("is not known of what is open above, and of other names", () => {
  expect(rangeOf("flags.open", flags)).toBeUndefined()
  expect(rangeOf("inputs.a", flags)).toBeUndefined()
  expect(rangeOf("flags.deep", flags)).toBeUndefined()
  expect(rangeOf("min([flags.open, 3])", flags)).toEqual({ min: 0, max: 3 })
})
