/** Loops in texts: every part that follows itself is found, and no paragraph of the documentation is one. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { isLoop } from "./isLoop.ts"

const honest = "You send 200 USD at a rate of 17.45; the fee is 3.99 USD."

describe("a loop", () => {
  it("is found for any part with a letter, wherever it begins", () => {
    const part = fc
      .tuple(fc.stringMatching(/^[a-z][a-z0-9 "'.,!?ñé-]{0,30}$/), fc.nat(20))
      .map(([text, more]) => ({
        text,
        times: Math.max(7, Math.ceil(90 / text.trim().length)) + more,
      }))
    fc.assert(
      fc.property(part, fc.boolean(), ({ text, times }, isLast) => {
        const loop = text.repeat(times)
        expect(isLoop(isLast ? `${honest} ${loop}` : `${loop} ${honest}`)).toBe(true)
      }),
      { numRuns: cases(200) },
    )
  })

  it.each(["the ", "jaja", '"t', "Sí, claro. ", "I can help you with that. ", "THE the "])(
    "is found for %j",
    (part) => {
      expect(isLoop(part.repeat(Math.ceil(140 / part.length)))).toBe(true)
    },
  )

  it("is found in rows and marks once they are very long", () => {
    expect(isLoop("| a | 0 |\n".repeat(5))).toBe(false)
    expect(isLoop("| a | 0 |\n".repeat(40))).toBe(true)
    expect(isLoop("-".repeat(120))).toBe(false)
    expect(isLoop("!".repeat(400))).toBe(true)
  })

  it.each([
    honest,
    `0x${"0".repeat(64)}`,
    "jajaja, muy bien",
    "no, no, no, no, no",
    "Row, row, row your boat, gently down the stream. Merrily, merrily, merrily, merrily, life is but a dream.",
  ])("is not found in %j", (text) => {
    expect(isLoop(text)).toBe(false)
  })

  it("is found in no paragraph of the documentation", () => {
    const folder = join(import.meta.dirname, "../../../../docs")
    const paragraphs = readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n\n"))
    expect(paragraphs.length).toBeGreaterThan(500)
    expect(paragraphs.filter(isLoop)).toEqual([])
  })
})
