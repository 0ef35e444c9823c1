/** Whether a reply is too large, by its bytes. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import { isTooLarge, replyBytes } from "./replySize.ts"

describe("a reply", () => {
  it("is too large exactly if its texts and the arguments of its calls have more bytes", () => {
    const sized = fc.record({
      text: fc.string({ unit: "binary", maxLength: 40 }),
      reasoning: fc.string({ maxLength: 5 }),
      toolCalls: fc.array(
        fc.record({
          id: fc.string({ maxLength: 3 }),
          name: fc.string({ maxLength: 8 }),
          arguments: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 6 })),
        }),
        { maxLength: 3 },
      ),
    })
    fc.assert(
      fc.property(sized, fc.nat(), (reply, given) => {
        const bytes = replyBytes(reply as never, Infinity)
        for (const most of [given % 400, bytes - 1, bytes, bytes * 3]) {
          assert.strictEqual(isTooLarge(reply as never, most), bytes > most)
        }
      }),
      { numRuns: cases(100) },
    )
  })
})
