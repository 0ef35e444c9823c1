/** Choosing the best without sorting gives what sorting gives. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { best, nearer } from "./best.ts"

/** A few owners and a few scores, so that both come again. */
const entry = fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e"), score: fc.nat({ max: 6 }) })

it("gives what sorting everything gives", () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry)), fc.integer({ min: 1, max: 12 }), (segments, limit) => {
      const scores = segments.map((entries) => Float64Array.from(entries, ({ score }) => score))
      const found = best(scores, (segment, at) => segments[segment]![at]!.id, limit)
      const first = segments
        .flat()
        .filter(({ score }) => score > 0)
        .toSorted(nearer)
        .slice(0, limit)
      const ids = [...new Set(first.map(({ id }) => id))]
      expect(found.map(({ id }) => id)).toEqual(ids)
      for (const { id, score } of found)
        expect(score).toBe(Math.max(...first.filter((near) => near.id === id).map((n) => n.score)))
    }),
  )
})
