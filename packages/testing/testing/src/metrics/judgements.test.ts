import { assert, describe, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { confidenceText } from "../report/confidenceText.ts"
import { confidenceMetrics, judgementsOf } from "./judgements.ts"

const noted = (note: string, data: number, asks = false): RunEvent => ({
  type: "Noted",
  seq: 0,
  at: 0,
  path: "read",
  stage: "read",
  note,
  data: { confidence: data, threshold: 0.7, asks },
})

describe("judging how sure stages were", () => {
  it("reads the notes of confidence and no others", () => {
    assert.deepEqual(judgementsOf([noted("confidence", 0.4, true), noted("repair", 0.9)]), [
      { confidence: 0.4, threshold: 0.7, asks: true },
    ])
  })

  it("says how they spread and how many asked", () => {
    const events = [0.4, 1, 0.95, 0.75].map((sure) => noted("confidence", sure, sure < 0.7))
    assert.deepEqual(confidenceMetrics(judgementsOf(events)), {
      judgements: 4,
      clarification_rate: 0.25,
      lowest: 0.4,
      median: 0.75,
      spread: [0, 0, 0, 0, 1, 0, 0, 1, 0, 2],
    })
  })

  it("is told in two lines, with the spread drawn", () => {
    const events = [0.4, 1, 0.95, 0.75].map((sure) => noted("confidence", sure, sure < 0.7))
    assert.strictEqual(
      confidenceText(judgementsOf(events)),
      `  clarification                  25 %  1 of 4 judgements
  confidence                     0.75  median, lowest 0.4, by tenths ····▄··▄·█
`,
    )
    assert.strictEqual(confidenceText([]), "")
  })

  it("counts nothing where nobody judged", () => {
    const none = confidenceMetrics([])
    assert.strictEqual(none.clarification_rate, null)
    assert.strictEqual(none.median, null)
  })
})
