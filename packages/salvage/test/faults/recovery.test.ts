/** Documents come back through the faults that models make, and pairs of them: shares that were reached, and must not sink. */
import { describe, expect, it } from "vitest"
import { documents, faults, recovery } from "./measure.ts"

/** Percent of the documents that come back whole; what is not named here comes back always. */
const floors: { readonly [fault: string]: number } = {
  // The text before the missing quote is taken to go on, where an inner quote could stand as well.
  "a text without its last quote": 97,
  // Without its bracket, a list or an object may end in several places; the schema tells most of them.
  "one bracket too few inside": 96,
  // `]]`: one too many, or one of the wrong kind, and the next name fits both.
  "one bracket too many inside": 88,
  "one bracket swapped": 92,
}

const percent = ({ right, tried }: { readonly right: number; readonly tried: number }) =>
  (100 * right) / tried

describe("a document that its schema describes comes back through", () => {
  it.each(Object.keys(faults))("%s", (name) => {
    const measured = recovery([name])
    expect(measured.tried).toBeGreaterThan(0)
    expect(percent(measured)).toBeGreaterThanOrEqual(floors[name] ?? 100)
  })
})

describe("pairs of faults", () => {
  it("let nearly all documents come back, and hardly any come back changed", () => {
    const names = Object.keys(faults)
    let tried = 0
    let right = 0
    let wrong = 0
    for (const [index, one] of names.entries()) {
      for (let other = index + 1; other < names.length; other++) {
        // Every seventh pair, each with a document of its own.
        if ((index * names.length + other) % 7 > 0) continue
        const at = (index + other) % documents.length
        const measured = recovery([one, names[other]!], [at, (at + 40) % documents.length])
        tried += measured.tried
        right += measured.right
        wrong += measured.wrong
      }
    }
    expect(tried).toBeGreaterThan(1000)
    expect((100 * right) / tried).toBeGreaterThanOrEqual(97)
    expect((100 * wrong) / tried).toBeLessThan(1)
  })
})
