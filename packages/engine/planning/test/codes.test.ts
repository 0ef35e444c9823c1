/** How many codes of labeled sentences are read: one word with the right param, none as another number. */
import { describe, expect, it } from "vitest"
import { codeScore } from "./codeScore.ts"

/** The rules were written with `seen` in view, and without `unseen`. */
describe.each(["seen", "unseen"])("codes of the %s half of the sentences", (half) => {
  it.each(["en", "es"])("are read, and no number otherwise, by the grammar of %s", (language) => {
    expect(codeScore(half, language)).toEqual({ rows: 100, read: 100, other: 0, kept: 100 })
  })
})
