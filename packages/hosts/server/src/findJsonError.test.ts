import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findJsonError } from "./findJsonError.ts"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("findJsonError", () => {
  it("reports the line and column of the first invalid character", () => {
    const at = (text: string) => {
      const { col, line } = findJsonError(text)
      return `${line}:${col}`
    }
    assert.strictEqual(at('{"a": 1,\n "b": oops}'), "2:7")
    assert.strictEqual(at('{"a": 1'), "1:8")
    assert.strictEqual(at("{'a': 1}"), "1:2")
    assert.strictEqual(at("[1, 2,]"), "1:7")
    assert.strictEqual(at("hello"), "1:1")
    assert.strictEqual(at('{"a": 01}'), "1:8")
    assert.strictEqual(at("{} {}"), "1:4")
    assert.strictEqual(at("[".repeat(200_000)), "1:200001")
  })

  it("reports no position after the parser's own and the text's end for valid JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (text, seed, more) => {
        assert.strictEqual(findJsonError(text).offset, text.length)
        const cut = seed % (text.length + 1)
        const broken = text.slice(0, cut) + more + text.slice(cut)
        if (isJson(broken)) return
        const { offset } = findJsonError(broken)
        assert.isAtMost(offset, broken.length)
        // The text before the error is a valid prefix, so the parser cannot fail earlier.
        const message = /at position (\d+)/.exec(
          (() => {
            try {
              return JSON.parse(broken) as string
            } catch (error) {
              return (error as Error).message
            }
          })(),
        )
        if (message !== null) assert.isAtMost(offset, Number(message[1]))
      }),
    )
  })
})
