/** Selection without a full sort equals selection after one. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { selectTop, compareScores } from "./selectTop.ts"

/** Few owners and few scores, so that both repeat. */
const entry = fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e"), score: fc.nat({ max: 6 }) })

it("selectTop returns the same as sorting all scores", () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry)), fc.integer({ min: 1, max: 12 }), (segments, limit) => {
      const scores = segments.map((entries) => Float64Array.from(entries, ({ score }) => score))
      const found = selectTop(scores, (segment, at) => segments[segment]![at]!.id, limit)
      const first = segments
        .flat()
        .filter(({ score }) => score > 0)
        .toSorted(compareScores)
        .slice(0, limit)
      const ids = [...new Set(first.map(({ id }) => id))]
      expect(found.map(({ id }) => id)).toEqual(ids)
      for (const { id, score } of found)
        expect(score).toBe(Math.max(...first.filter((near) => near.id === id).map((n) => n.score)))
    }),
  )
})
