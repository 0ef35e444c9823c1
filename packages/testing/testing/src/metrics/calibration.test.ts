import { assert, describe, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { calibrationText } from "../report/calibrationText.ts"
import { calibrationMetrics, predictionOf } from "./calibration.ts"

const noted = (path: string, confidence: number): RunEvent => ({
  type: "Noted",
  seq: 0,
  at: 0,
  path,
  stage: path,
  note: "confidence",
  data: { confidence, threshold: 0.7, asks: confidence < 0.7 },
})

const truth = {
  status: "succeeded",
  assert: ["outputs.total == 4"],
  requirements: [],
} as const
const succeeded = { status: "succeeded" } as const

describe("the prediction of a run", () => {
  it("has the lowest of its stages' last confidences", () => {
    const events = [noted("read", 0.2), noted("read", 0.9), noted("adapt", 0.8)]
    assert.deepStrictEqual(predictionOf(truth, false, succeeded, events), {
      confidence: 0.8,
      right: false,
    })
  })

  it("is absent without an answer, without a confidence and without truth", () => {
    const events = [noted("read", 0.9)]
    assert.isUndefined(predictionOf(truth, false, { status: "clarification" }, events))
    assert.isUndefined(predictionOf(truth, false, { status: "failed" }, events))
    assert.isUndefined(predictionOf(truth, true, succeeded, []))
    assert.isUndefined(predictionOf({ ...truth, assert: [] }, true, succeeded, events))
  })

  it("is there for a run with a requirement by hand", () => {
    const expect = { ...truth, assert: [], requirements: ["metrics:revenue"] }
    assert.isDefined(predictionOf(expect, true, succeeded, [noted("read", 0.9)]))
  })

  it("is there for a run that answers where a question is expected", () => {
    const expect = { status: "clarification", assert: [], requirements: [] } as const
    assert.deepStrictEqual(predictionOf(expect, false, succeeded, [noted("read", 0.9)]), {
      confidence: 0.9,
      right: false,
    })
  })
})

const predictions = [
  { confidence: 1, right: true },
  { confidence: 0.9, right: false },
  { confidence: 0.6, right: true },
  { confidence: 0.6, right: false },
]

describe("calibration", () => {
  it("has the Brier score, the expected calibration error and the bins of the predictions", () => {
    assert.deepStrictEqual(calibrationMetrics(predictions), {
      count: 4,
      confidence: 0.775,
      right: 0.5,
      // (0 + 0.81 + 0.16 + 0.36) / 4
      brier_score: 0.3325,
      // 2/4 · |0.5 − 0.6| + 2/4 · |0.5 − 0.95|
      expected_calibration_error: 0.275,
      bins: [
        { from: 0.6, to: 0.7, count: 2, confidence: 0.6, right: 0.5 },
        { from: 0.9, to: 1, count: 2, confidence: 0.95, right: 0.5 },
      ],
    })
  })

  it("is 0 for certain predictions that are right", () => {
    const certain = calibrationMetrics([{ confidence: 1, right: true }])
    assert.strictEqual(certain.brier_score, 0)
    assert.strictEqual(certain.expected_calibration_error, 0)
  })

  it("is null without predictions, and without text", () => {
    assert.deepStrictEqual(calibrationMetrics([]), {
      count: 0,
      confidence: null,
      right: null,
      brier_score: null,
      expected_calibration_error: null,
      bins: [],
    })
    assert.strictEqual(calibrationText([]), "")
  })

  it("has a line for each tenth in the text", () => {
    assert.strictEqual(
      calibrationText(predictions),
      `  calibration error             0.275  2 of 4 answers right by their expectations
  Brier score                  0.3325
    confidence 0.6–0.7           50 %  right of 2, mean confidence 0.6
    confidence 0.9–1             50 %  right of 2, mean confidence 0.95
`,
    )
  })
})
