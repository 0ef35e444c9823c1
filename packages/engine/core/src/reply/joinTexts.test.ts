import { assert, describe, it } from "vitest"
import { joinTexts, lastWords } from "./joinTexts.ts"

describe("joinTexts", () => {
  it.each([
    ["repeats the last words", "The cat sat on", "cat sat on the mat.", "The cat sat on the mat."],
    ["repeats the started word", "The ca", "cat sat.", "The cat sat."],
    ["writes on within a word", "The ca", "t sat.", "The cat sat."],
    ["writes on after a space", "The cat", " sat.", "The cat sat."],
    ["repeats after white space", "The cat ", "cat sat.", "The cat sat."],
    ["starts a new paragraph", "One.\n\n", "Two.", "One.\n\nTwo."],
    ["adds nothing", "The cat", "cat", "The cat"],
    ["shares letters only", "the call", "later", "the calllater"],
    [
      "repeats text without spaces",
      "今日は天気がいいですから散歩",
      "天気がいいですから散歩に行く",
      "今日は天気がいいですから散歩に行く",
    ],
  ])("joins a continuation that %s", (_, text, next, expected) => {
    assert.strictEqual(joinTexts(text, next), expected)
  })

  it("takes the last words from the start of a word", () => {
    assert.strictEqual(lastWords("short text"), "short text")
    const end = lastWords(`${"word ".repeat(40)}last`)
    assert.isAtMost(end.length, 60)
    assert.match(end, /^word .* last$/)
  })
})
