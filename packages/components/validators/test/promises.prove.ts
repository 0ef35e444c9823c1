/** How many commitments the validator `promises` finds, and how many honest sentences it blocks, each half of the set apart. */
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { fileOf, readRows, train } from "../../../../bench/promises.ts"
import { scoresOf, sum } from "./labeled.ts"
import { isBlocked } from "./of.ts"

describe("promises in labeled sentences", () => {
  it.each([
    ["seen", 1800, 1740, 3000, 20],
    ["unseen", 100, 88, 100, 1],
  ] as const)(
    "of the %s half, with %i commitments, at least %i are found, and of %i honest sentences at most %i blocked",
    (half, commitments, least, honest, most) => {
      const scores = scoresOf(half, isBlocked)
      for (const one of scores) {
        process.stdout.write(
          `promises ${half} ${one.language}: ${one.found} of ${one.commitments} commitments found, ${one.wrong} of ${one.honest} honest sentences blocked\n`,
        )
      }
      assert.strictEqual(sum(scores, "commitments"), commitments)
      assert.strictEqual(sum(scores, "honest"), honest)
      assert.isAtLeast(sum(scores, "found"), least)
      assert.isAtMost(sum(scores, "wrong"), most)
    },
  )

  it("are likened by the weights that training on the seen half gives", () => {
    const file = new URL("../src/promises/likeness.json", import.meta.url)
    assert.strictEqual(fileOf(train(readRows())), readFileSync(file, "utf8"))
  })
})
