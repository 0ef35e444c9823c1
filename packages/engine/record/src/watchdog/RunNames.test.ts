/** Names of the runs under way, as the thread of the watchdog reads them. */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import { RunNames } from "./RunNames.ts"
import { namesIn } from "./watchLoop.ts"

it("are those of all that have begun and not ended, as far as there is room", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 90 }), { maxLength: 300 }), (changes) => {
      const names = new RunNames()
      const underWay = new Set<string>()
      for (const number of changes) {
        const run = `run-${number}`
        if (underWay.delete(run)) names.ends(run)
        else {
          underWay.add(run)
          names.begins(run)
        }
        const read = namesIn(names.memory, 64)
        assert.strictEqual(new Set(read).size, Math.min(64, underWay.size))
        assert.isTrue(read.every((one) => underWay.has(one)))
      }
    }),
    { numRuns: cases(30) },
  )
})

it("are cut where they are longer than their places", () => {
  const names = new RunNames()
  names.begins("é".repeat(100))
  names.begins("next")
  assert.deepStrictEqual(namesIn(names.memory, 64), ["é".repeat(31), "next"])
})
