/** How well the confidence of runs matches whether they are right, by the expectations written for them. */
import type { RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import type { TestExpect } from "../file/WorkflowTest.ts"
import { confidenceNotes } from "./judgements.ts"
import { rounded, tenthOf, TENTHS } from "./figures.ts"

/** What a run claimed of its answer, and the truth. */
export interface Prediction {
  /** 0 to 1. */
  readonly confidence: number
  /** Whether the status and all that the test expects hold. */
  readonly right: boolean
}

/**
 * The prediction of a run that succeeded: the lowest confidence among its stages, and whether `expect` holds. Undefined
 * without truth (no assertion or requirement, and success is the expected status), without a confidence, and for a run that ended
 * in a question or a failure, because it has no answer that could be right. A stage that ran again counts with its
 * last confidence.
 */
export const predictionOf = (
  expect: Pick<TestExpect, "assert" | "requirements" | "status">,
  right: boolean,
  { status }: Pick<RunResult, "status">,
  events: ReadonlyArray<RunEvent>,
): Prediction | undefined => {
  const { assert, requirements, status: expected } = expect
  const hasTruth = assert.length + requirements.length > 0 || expected !== "succeeded"
  if (status !== "succeeded" || !hasTruth) return undefined
  const last = new Map(confidenceNotes(events).map(({ path, confidence }) => [path, confidence]))
  return last.size === 0 ? undefined : { confidence: Math.min(...last.values()), right }
}

/** The runs whose confidence is in the same tenth. */
export interface CalibrationBin {
  readonly from: number
  readonly to: number
  readonly count: number
  /** Mean. */
  readonly confidence: number
  /** Share that is right. */
  readonly right: number
}

export interface CalibrationMetrics {
  readonly count: number
  /** Mean; null without runs, as the figures below. */
  readonly confidence: number | null
  /** Share that is right. */
  readonly right: number | null
  readonly brier_score: number | null
  readonly expected_calibration_error: number | null
  /** Tenths with runs, in order. */
  readonly bins: ReadonlyArray<CalibrationBin>
}

const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The Brier score is the mean of (confidence − right)² with right 0 or 1, half of the two-class sum of G. W. Brier,
 * "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950) 1–3. The expected
 * calibration error is Σ (n_b / n) · |share right in b − mean confidence in b| over bins b of equal width: C. Guo,
 * G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks", ICML 2017, equation 3.
 */
export const calibrationMetrics = (predictions: ReadonlyArray<Prediction>): CalibrationMetrics => {
  const count = predictions.length
  const summary = (some: ReadonlyArray<Prediction>) => ({
    confidence: meanOf(some.map(({ confidence }) => confidence)),
    right: meanOf(some.map(({ right }) => Number(right))),
  })
  const bins = Array.from({ length: TENTHS }, (_, tenth) => {
    const own = predictions.filter(({ confidence }) => tenthOf(confidence) === tenth)
    return { from: tenth / TENTHS, to: (tenth + 1) / TENTHS, count: own.length, ...summary(own) }
  }).filter((bin) => bin.count > 0)
  const { confidence, right } = summary(predictions)
  const brier = meanOf(predictions.map((one) => (one.confidence - Number(one.right)) ** 2))
  const error = bins.reduce(
    (sum, bin) => sum + (bin.count / count) * Math.abs(bin.right - bin.confidence),
    0,
  )
  const figure = (value: number) => (count === 0 ? null : rounded(value))
  return {
    count,
    confidence: figure(confidence),
    right: figure(right),
    brier_score: figure(brier),
    expected_calibration_error: figure(error),
    bins: bins.map((bin) => ({
      ...bin,
      confidence: rounded(bin.confidence),
      right: rounded(bin.right),
    })),
  }
}
