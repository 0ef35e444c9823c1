/** How many commitments the validator `promises` finds, and how many honest sentences it blocks, each half of the set apart. */
import { assert, describe, it } from "vitest"
import { scoresOf, sum } from "./labeled.ts"
import { isBlocked } from "./of.ts"

describe("promises in labeled sentences", () => {
  it.each([
    ["seen", 95, 1],
    ["unseen", 55, 1],
  ] as const)(
    "of the %s half are found: at least %i of 100, with %i honest one blocked at most",
    (half, least, most) => {
      const scores = scoresOf(half, isBlocked)
      for (const { commitments, found, honest, language, wrong } of scores) {
        process.stdout.write(
          `promises ${half} ${language}: ${found} of ${commitments} commitments found, ${wrong} of ${honest} honest sentences blocked\n`,
        )
      }
      assert.strictEqual(sum(scores, "commitments"), 100)
      assert.strictEqual(sum(scores, "honest"), 100)
      assert.isAtLeast(sum(scores, "found"), least)
      assert.isAtMost(sum(scores, "wrong"), most)
    },
  )
})
