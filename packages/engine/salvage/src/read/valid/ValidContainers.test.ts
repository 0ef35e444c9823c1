/** ValidContainers accepts only what JSON.parse accepts, and finds every valid container. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isJson } from "../../fit/isJson.ts"
import { toValue } from "../Node.ts"
import { ValidContainers, MAX_VALID_DEPTH } from "./ValidContainers.ts"
import { readValidTree } from "./readValidTree.ts"
import { cases } from "../../../../../../.config/cases.ts"

const documents = fc
  .oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
  // Numbers beyond a double's precision are left to the tolerant reader.
  .map((value) => JSON.stringify(value, (_key, item: unknown) => simple(item)))
  .map((text) => JSON.parse(text) as unknown)

const simple = (item: unknown): unknown =>
  typeof item === "number" ? (Math.round(item) % 1e9) / 4 : item

const layout = fc.constantFrom<string | number>(0, 1, "\t")

describe("ValidContainers", () => {
  it("returns the end and the value of a container of valid JSON", () => {
    fc.assert(
      fc.property(documents, layout, fc.string(), (value, indent, after) => {
        const text = JSON.stringify(value, null, indent)
        const valid = new ValidContainers(text + after)
        expect(valid.endOf(0)).toBe(text.length)
        const read = JSON.parse(text) as unknown
        expect(valid.valueOf(0, text.length)).toEqual(read)
        const tree = readValidTree(text, 0)
        expect(tree.end).toBe(text.length)
        expect(JSON.stringify(toValue(tree))).toBe(JSON.stringify(read))
      }),
    )
  })

  it("rejects an invalid container and accepts the valid containers in it", () => {
    const text = '[{"a": [1, {"b": 2}], "c": "]"}, [3, "x\\"y"], {d: [4]}, [5]]'
    const valid = new ValidContainers(text)
    const taken = [...text.matchAll(/[[{]/g)]
      .map(({ index }) => [index, valid.endOf(index)] as const)
      .filter(([, end]) => end >= 0)
      .map(([start, end]) => text.slice(start, end))
    expect(taken).toEqual(['{"a": [1, {"b": 2}], "c": "]"}', '[3, "x\\"y"]', "[4]", "[5]"])
  })

  it("accepts only text that JSON.parse accepts", () => {
    const scrap = fc.constantFrom(...'{}[]:,"\\0123-.e\n ua', '"a":', '"b"', "true", "nul", "[]")
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 30 }), (parts) => {
        const text = `[${parts.join("")}`
        const end = new ValidContainers(text).endOf(0)
        const taken = text.slice(0, end)
        // Of escapes, the digits are left to JSON.parse.
        expect(end < 0 || taken.includes("\\u") || isJson(taken)).toBe(true)
      }),
      { numRuns: cases(2000) },
    )
  })

  it("rejects deep nesting and numbers beyond a double's precision", () => {
    const deep = `${"[".repeat(MAX_VALID_DEPTH)}1${"]".repeat(MAX_VALID_DEPTH)}`
    expect(new ValidContainers(deep).endOf(0)).toBe(deep.length)
    for (const text of [`[${deep}]`, "[1234567890123456]", "[1e400]", "[-0]", "[-0.00]"]) {
      expect(new ValidContainers(text).endOf(0)).toBe(-1)
    }
  })
})
