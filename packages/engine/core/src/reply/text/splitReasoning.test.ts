import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { splitReasoning } from "./splitReasoning.ts"

describe("splitting reasoning off a text", () => {
  it.each([
    ["Oslo.", "Oslo.", ""],
    ["<think>Norway…</think>Oslo.", "Oslo.", "Norway…"],
    ["<Reasoning>\nNorway\n</Reasoning>\n\nOslo.", "Oslo.", "Norway"],
    ["Norway… so\n</think>\nOslo.", "Oslo.", "Norway… so"],
    ["<thinking>It never", "", "It never"],
    ["A <think>b</think>c <reasoning>d</reasoning>e", "A c e", "b\n\nd"],
    ["Write `<think>` before it.", "Write `<think>` before it.", ""],
    ["```xml\n<think>x</think>\n```", "```xml\n<think>x</think>\n```", ""],
    ["Use the <think> tag in HTML.", "Use the <think> tag in HTML.", ""],
    ["Oslo.\n <think>or not", "Oslo.", "or not"],
    ["a < b and b > c", "a < b and b > c", ""],
  ])("%j says %j", (whole, text, reasoning) => {
    assert.deepEqual(splitReasoning(whole), { text, reasoning })
  })

  it("leaves text without tags unchanged", () => {
    fc.assert(
      fc.property(fc.string(), (whole) => {
        fc.pre(!/<\/?(reasoning|think|thinking)>/i.test(whole))
        assert.deepEqual(splitReasoning(whole), { text: whole, reasoning: "" })
      }),
    )
  })

  it("takes time in proportion to the text", () => {
    const began = performance.now()
    splitReasoning("<think>".repeat(200_000))
    splitReasoning("`".repeat(400_001) + "<think>")
    splitReasoning("<think></think>".repeat(100_000))
    splitReasoning("x" + "<think>".repeat(200_000))
    assert.isBelow(performance.now() - began, 2000)
  })
})
