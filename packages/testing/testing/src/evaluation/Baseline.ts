/** Figures of evaluations at an earlier time, kept in a file. */
import { isObject } from "@planloom/schema"
import type { CalibrationMetrics } from "../metrics/calibration.ts"
import { planningMetricNames } from "../metrics/planningMetrics.ts"
import type { EvaluationReport, Figures } from "./EvaluationReport.ts"
import type { EvaluationBaseline } from "./judgeGates.ts"

/** By the evaluation's name. */
export type EvaluationBaselines = { readonly [evaluation: string]: EvaluationBaseline }

/** JSON whose lines change one by one. `kept` are those of other evaluations, which stay. */
export const evaluationBaselineText = (
  reports: ReadonlyArray<EvaluationReport>,
  kept: EvaluationBaselines = {},
): string => {
  const measured = reports.map(({ name, variants }) => [name, variants] as const)
  const all = { ...kept, ...Object.fromEntries(measured) }
  const sorted = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`
}

/** What `evaluationBaselineText` wrote, or in words why this is no baseline. */
export const readEvaluationBaselines = (text: string): EvaluationBaselines | string => {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  if (!isObject(read)) return "it is no JSON object"
  for (const [name, variants] of Object.entries(read)) {
    if (!isObject(variants)) return `${name} must hold figures by variant`
    for (const [variant, figures] of Object.entries(variants)) {
      const wrong = isObject(figures) ? mismatch(figures) : "must be the figures of a variant"
      if (wrong !== undefined) return `${name}.${variant} ${wrong}`
    }
  }
  return read as unknown as EvaluationBaselines
}

const counts: ReadonlyArray<keyof Figures> = [
  "cases",
  "runs",
  "passed",
  "failed",
  "pass_rate_low",
  "pass_rate_high",
  "unsteady",
  "degraded",
  "clarifications",
  "missed",
  "cost",
  "model_calls",
  "estimated_calls",
  "tool_calls",
  "input_tokens",
  "output_tokens",
  "cached_tokens",
]

const calibrationFigures: ReadonlyArray<keyof CalibrationMetrics> = [
  "count",
  "confidence",
  "right",
  "brier_score",
  "expected_calibration_error",
]

/** Why these are no figures that can be shown beside others. */
const mismatch = (figures: { readonly [key: string]: unknown }): string | undefined => {
  const { calibration, failures, ms, planning, scores } = figures
  const uncounted = counts.find((name) => typeof figures[name] !== "number")
  if (uncounted !== undefined) return `has no number ${uncounted}`
  if (!isShare(figures["pass_rate"]) || !isShare(figures["parse_success_rate"])) {
    return "has rates that are no numbers"
  }
  if (!isObject(failures) || !Object.values(failures).every((one) => typeof one === "number")) {
    return "has failures that are no numbers"
  }
  if (
    !isObject(planning) ||
    !Object.keys(planningMetricNames).every((name) => isShare(planning[name]))
  ) {
    return "has planning that is no rates"
  }
  if (!isObject(calibration) || !calibrationFigures.every((name) => isShare(calibration[name]))) {
    return "has calibration that is no figures"
  }
  const spreads = isObject(scores) ? [ms, ...Object.values(scores)] : [undefined]
  return spreads.every(isSpread) ? undefined : "has scores or ms that are no spreads"
}

const isShare = (value: unknown): boolean => value === null || typeof value === "number"

const isSpread = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["count"] === "number" &&
  ["mean", "p50", "p95", "min", "max"].every((name) => isShare(value[name]))
