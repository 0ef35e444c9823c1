import { expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import { estimateTokens } from "@planloom/plugin/facts"
import { callLines } from "./callLines.ts"

const limits = { max_items: 5, max_characters: 80, max_tokens: 60 }

it("gives a line for each call, errors cut, and none for no call", () => {
  expect(callLines([], limits)).toBe("none")
  expect(
    callLines(
      [
        { tool: "find_pairs", ok: true, summary: "2 pairs:\nPEPE, LUNA" },
        { tool: "check", ok: false, summary: "", error: "e".repeat(70) },
      ],
      limits,
    ),
  ).toBe(`- find_pairs: 2 pairs: PEPE, LUNA\n- check failed: ${"e".repeat(49)}…`)
})

it("stays within its limits, and counts what it leaves out", () => {
  const call = fc.record({
    tool: fc.string({ minLength: 1, maxLength: 12 }),
    ok: fc.boolean(),
    summary: fc.string({ maxLength: 200 }),
  })
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 12 }), (calls) => {
      const lines = callLines(calls, limits).split("\n")
      const [last] = lines.slice(-1)
      const left = /^- and (\d+) more$/.exec(last!)
      const shown = left === null ? lines : lines.slice(0, -1)
      expect(shown.length).toBeLessThanOrEqual(5)
      expect(shown.length + Number(left?.[1] ?? 0)).toBe(calls.length)
      expect(shown.every((line) => Array.from(line).length <= 80)).toBe(true)
      expect(shown.reduce((sum, line) => sum + estimateTokens(line), 0)).toBeLessThanOrEqual(60)
    }),
    { numRuns: cases(200) },
  )
})
