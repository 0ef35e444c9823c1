import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cut, oneLine, pad, visible, widthOf, wrap } from "./text.ts"

describe("text on a terminal", () => {
  it("is measured in cells: wide letters have two, accents and colors none", () => {
    expect(widthOf("plain")).toBe(5)
    expect(widthOf("日本")).toBe(4)
    expect(widthOf("e\u0301")).toBe(1)
    expect(widthOf("👩‍👩‍👧")).toBe(2)
    expect(widthOf("\u001b[31mred\u001b[39m")).toBe(3)
  })

  it("is cut with an ellipsis", () => {
    expect(cut("a long sentence", 8)).toBe("a long…")
    expect(cut("日本語の文", 5)).toBe("日本…")
    expect(cut("fits", 4)).toBe("fits")
  })

  it("is never wider than the limit, and unchanged if it fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          const shown = cut(visible(text), width)
          expect(widthOf(shown)).toBeLessThanOrEqual(width)
          const fits = widthOf(visible(text)) <= width
          expect(fits ? shown : visible(text)).toBe(visible(text))
        },
      ),
    )
  })

  it("is padded to a width in cells", () => {
    expect(pad("日本", 6)).toBe("日本  ")
    expect(pad("12", 5, "right")).toBe("   12")
  })

  it("is wrapped at words with the hanging indent of a list", () => {
    expect(wrap("- one two three four five six seven", 20)).toEqual([
      "- one two three four",
      "  five six seven",
    ])
  })

  it("keeps all words when it is wrapped", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 })
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 60 }), (list, width) => {
        const lines = wrap(list.join(" "), width)
        expect(lines.join(" ").split(/\s+/)).toEqual(list)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      }),
    )
  })

  it("contains no control sequences after it was sanitized", () => {
    const hostile = "\u001b]0;title\u0007\u001b[2Jclear\u001b[31m red\r\b\u009b5A\u202eback"
    expect(visible(hostile)).toBe("clear red5Aback")
    expect(oneLine("a\n\tb\u0000")).toBe("a b")
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        // oxlint-disable-next-line no-control-regex -- these must be gone
        expect(visible(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
      }),
    )
  })
})
