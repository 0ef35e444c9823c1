import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import type { Tool } from "@planloom/plugin/effect"
import { isPlainSentence } from "./thinkingText.ts"

const tools: ReadonlyArray<Tool> = [
  {
    name: "dexscreener.searchPairs",
    summary: "Finds pairs.",
    capabilities: [],
    inputs: {},
    outputs: [],
    params: { type: "object", properties: { query: {}, chainId: {}, token: {} } },
  },
]
const plan = {
  steps: [{ id: "step_1", tool: "dexscreener.searchPairs", inputs: {}, params: {}, satisfies: [] }],
}
const isPlain = (message: string, request = "Is that token safe?") =>
  isPlainSentence(message, request, [plan], tools)

describe("a sentence for the user", () => {
  it.each([
    "I am checking whether it can be sold again.",
    "No hay nada con ese nombre; pruebo con otras palabras.",
    "Let me look at the token itself.",
  ])("%s is shown", (message) => {
    expect(isPlain(message)).toBe(true)
  })

  it.each([
    "",
    "I call dexscreener.searchPairs next.",
    "I change the query.",
    "The chainId was wrong.",
    "Trying step_1 again.",
    'Now {"strategy": "relax"}.',
    "The `limit` goes up.",
    "I lower score_threshold.",
    "x".repeat(301),
  ])("%s is not", (message) => {
    expect(isPlain(message)).toBe(false)
  })

  it("never holds a name of a tool, a param or a step that the request does not have", () => {
    const names = ["dexscreener.searchPairs", "query", "chainId", "step_1"]
    const words = fc.array(fc.constantFrom("I", "look", "further", "for", "it", "now"), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(words, fc.constantFrom(...names), fc.nat(), (said, name, at) => {
        const place = at % (said.length + 1)
        const message = [...said.slice(0, place), name, ...said.slice(place)].join(" ")
        expect(isPlain(said.join(" "))).toBe(true)
        expect(isPlain(message)).toBe(false)
      }),
      { numRuns: cases(200) },
    )
  })
})
