import { assert, describe, it } from "@effect/vitest"
import { difference } from "./difference.ts"

describe("a difference", () => {
  it("shows the lines that differ, and the one before them", () => {
    assert.strictEqual(
      difference({ model: "m", text: "old", max: 1 }, { model: "m", text: "new", max: 1 }),
      "  model: m\n- text: old\n+ text: new",
    )
  })

  it("shows of long lines what is around the first change, so that it can be read", () => {
    const text = "a".repeat(1_000_000)
    const shown = difference({ text: `${text}1${text}` }, { text: `${text}2${text}` })
    assert.isBelow(shown.length, 500)
    const [before = "", after = ""] = shown.split("\n")
    assert.match(before, /^- …a+1a+…$/)
    assert.match(after, /^\+ …a+2a+…$/)
  })

  it("shows a dozen lines of each side and counts the others", () => {
    const lines = (word: string) => Array.from({ length: 20 }, (_, index) => `${word} ${index}`)
    assert.include(difference(lines("old"), lines("new")), "- … and 8 more lines")
  })
})
