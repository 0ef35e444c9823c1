/** What counts as coming out as an example says. */
import { describe, expect, it } from "vitest"
import type { Json } from "@planloom/plugin/effect"
import { exampleMisses, type StageEnd } from "./exampleMisses.ts"

const shown = { value: "billing", confidence: 0.9 }
const sure = (confidence: number, threshold = 0.7) => ({
  confidence,
  threshold,
  asks: confidence < threshold,
})
const gave = (output: Json, confidence = 0.95): StageEnd => ({
  output,
  judgement: sure(confidence),
  failure: undefined,
  asked: false,
})
const asks = (detail?: Json): StageEnd => ({
  output: undefined,
  judgement: sure(0.4),
  failure: {
    class: "clarification",
    message: "Which one?",
    stage: "sorted",
    ...(detail === undefined ? {} : { detail }),
  },
  asked: true,
})
const example = (output: Json, expected?: Json) => ({ output, expect: expected })

describe("an example without expect", () => {
  it("requires its output, and confidence only on the same side of the threshold", () => {
    const misses = (output: Json, judged = 0.95) =>
      exampleMisses(example(shown), gave(output, judged))
    expect(misses({ value: "billing", confidence: 0.95 })).toEqual([])
    expect(misses({ value: "billing", confidence: 0.7 })).toEqual([])
    expect(misses({ value: "help", confidence: 0.95 })).toEqual([
      'value: expected "billing", found "help"',
    ])
    expect(misses({ value: "billing", confidence: 0.69 })).toEqual([
      "confidence: expected 0.9, not below the threshold of 0.7; found 0.69, which is below it",
    ])
  })

  it("requires the exact confidence if the stage has no threshold", () => {
    const end = { ...gave({ value: "billing", confidence: 0.95 }), judgement: undefined }
    expect(exampleMisses(example(shown), end)).toEqual(["confidence: expected 0.9, found 0.95"])
  })

  it("reports a run that ended in a question, with its stage and confidence", () => {
    expect(exampleMisses(example(shown), asks())).toEqual([
      "the run ended in a question of sorted: Which one? (confidence 0.4, below the threshold of 0.7)",
    ])
    const before = { ...asks(), judgement: undefined }
    expect(exampleMisses(example({ value: "billing" }), before)).toEqual([
      "the run ended in a question of sorted: Which one?",
    ])
  })

  it("can expect a question, with the output that the stage asks about", () => {
    const unsure = example({ value: "billing", confidence: 0.3 })
    expect(exampleMisses(unsure, asks({ value: "billing", confidence: 0.4 }))).toEqual([])
    expect(exampleMisses(unsure, asks({ value: "help", confidence: 0.4 }))).toHaveLength(1)
    expect(exampleMisses(unsure, asks())).toEqual([])
  })
})

describe("an example with expect", () => {
  it("requires the exact confidence if it contains one, and otherwise ignores confidence", () => {
    const output = { value: "billing", confidence: 0.95 }
    expect(exampleMisses(example(shown, { confidence: 0.9 }), gave(output))).toHaveLength(1)
    expect(exampleMisses(example(shown, { value: "billing" }), gave(output))).toEqual([])
    const asked = exampleMisses(example({ confidence: 0.1 }, { value: "billing" }), asks())
    expect(asked[0]).toMatch(/^the run ended in a question/)
  })
})

it("an example of a failed stage reports the failure", () => {
  const failure = { class: "auth", message: "the key is refused" } as const
  const end = { output: undefined, judgement: undefined, failure, asked: false }
  expect(exampleMisses(example(shown), end)).toEqual(["the key is refused"])
})
