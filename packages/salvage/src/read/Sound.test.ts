/** What may be handed to `JSON.parse`: never more than it takes, and every valid part that is asked about. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isJson } from "../fit/isJson.ts"
import { toValue } from "./Node.ts"
import { Sound, SOUND_DEPTH } from "./Sound.ts"
import { soundTree } from "./soundTree.ts"
import { cases } from "../../../../.config/cases.ts"

const documents = fc
  .oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
  // Numbers that a double may not hold are read with care, so they are not sound.
  .map((value) => JSON.stringify(value, (_key, item: unknown) => simple(item)))
  .map((text) => JSON.parse(text) as unknown)

const simple = (item: unknown): unknown =>
  typeof item === "number" ? (Math.round(item) % 1e9) / 4 : item

const layout = fc.constantFrom<string | number>(0, 1, "\t")

describe("a container", () => {
  it("that is valid JSON is taken whole, as what it says", () => {
    fc.assert(
      fc.property(documents, layout, fc.string(), (value, indent, after) => {
        const text = JSON.stringify(value, null, indent)
        const sound = new Sound(text + after)
        expect(sound.endOf(0)).toBe(text.length)
        const read = JSON.parse(text) as unknown
        expect(sound.valueOf(0, text.length)).toEqual(read)
        const tree = soundTree(text, 0)
        expect(tree.end).toBe(text.length)
        expect(JSON.stringify(toValue(tree))).toBe(JSON.stringify(read))
      }),
    )
  })

  it("that something is wrong with is not, but what is sound in it is", () => {
    const text = '[{"a": [1, {"b": 2}], "c": "]"}, [3, "x\\"y"], {d: [4]}, [5]]'
    const sound = new Sound(text)
    const taken = [...text.matchAll(/[[{]/g)]
      .map(({ index }) => [index, sound.endOf(index)] as const)
      .filter(([, end]) => end >= 0)
      .map(([start, end]) => text.slice(start, end))
    expect(taken).toEqual(['{"a": [1, {"b": 2}], "c": "]"}', '[3, "x\\"y"]', "[4]", "[5]"])
  })

  it("is only taken where JSON.parse takes it", () => {
    const scrap = fc.constantFrom(...'{}[]:,"\\0123-.e\n ua', '"a":', '"b"', "true", "nul", "[]")
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 30 }), (parts) => {
        const text = `[${parts.join("")}`
        const end = new Sound(text).endOf(0)
        const taken = text.slice(0, end)
        // Of escapes, the digits are left to JSON.parse.
        expect(end < 0 || taken.includes("\\u") || isJson(taken)).toBe(true)
      }),
      { numRuns: cases(2000) },
    )
  })

  it("is read with care when it nests deeply or has a number that a double may not hold", () => {
    const deep = `${"[".repeat(SOUND_DEPTH)}1${"]".repeat(SOUND_DEPTH)}`
    expect(new Sound(deep).endOf(0)).toBe(deep.length)
    for (const text of [`[${deep}]`, "[1234567890123456]", "[1e400]", "[-0]", "[-0.00]"]) {
      expect(new Sound(text).endOf(0)).toBe(-1)
    }
  })
})
