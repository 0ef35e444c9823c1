/** The languages in which a sentence is read. */
import { wordsOf } from "@planloom/review-kit"
import { assert, describe, it } from "vitest"
import { languagesOf } from "../src/promises/languagesOf.ts"

describe("the languages of a sentence", () => {
  it.each([
    ["I promise that the refund arrives once your son has sent the form.", ["en"]],
    ["Le prometo que el reembolso sale hoy.", ["es"]],
    ["Visa 2026", ["en", "es"]],
  ] as const)("of %j are %j", (text, expected) => {
    assert.deepStrictEqual(languagesOf(wordsOf(text)), expected)
  })
})
