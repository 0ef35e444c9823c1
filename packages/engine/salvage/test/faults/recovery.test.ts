/** Recovery rates of documents with one or two faults typical of models; the rates must not drop. */
import { describe, expect, it } from "vitest"
import { seed } from "../../../../../.config/cases.ts"
import { documents, faults, recovery } from "./measure.ts"

/** Percentage of documents recovered completely; 100 for faults not listed. */
const floors: { readonly [fault: string]: number } = {
  // The text before the missing quote is taken to go on, where an inner quote could stand as well.
  "a text without its last quote": 97,
  // Without its bracket, a list or an object may end in several places; a text that may be cut off is not completed inside.
  "one bracket too few inside": 92,
  // `]]`: one too many, or one of the wrong kind, and the next name fits both.
  "one bracket too many inside": 98,
}

/** The same documents never do worse; those of another seed are a sample. */
const leastOf = (fault: string, tried: number): number => {
  const floor = floors[fault] ?? 100
  return seed === 1 ? floor : floor - 3 * Math.sqrt((floor * (100 - floor)) / tried)
}

/** Share of documents that come back without a member, which a repair states: none of those of a test run. */
const LOST = 0.005

const percent = ({ right, tried }: { readonly right: number; readonly tried: number }) =>
  (100 * right) / tried

describe("a document with its schema is recovered despite", () => {
  it.each(Object.keys(faults))("%s", (name) => {
    const measured = recovery([name])
    expect(measured.tried).toBeGreaterThan(0)
    expect(percent(measured)).toBeGreaterThanOrEqual(leastOf(name, measured.tried))
    if (!name.startsWith("one bracket")) return
    expect(measured.wrong).toBeLessThanOrEqual(Math.floor(measured.tried * LOST))
    expect(measured.silent).toBe(0)
  })
})

describe("pairs of faults", () => {
  it("leave nearly all documents recovered and almost none changed", () => {
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
