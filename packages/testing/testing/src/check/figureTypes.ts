/** What a gate of an evaluation can read: the figures of each variant, by name and type. */
import { failureClasses } from "@planloom/plugin/effect"
import { any, int, number, objectOf } from "@planloom/expression/check"
import type { Type } from "@planloom/expression/check"
import type { Evaluation } from "../file/Evaluation.ts"

const spread = objectOf({
  count: int,
  mean: number,
  p50: number,
  p95: number,
  min: number,
  max: number,
})

const same = (names: ReadonlyArray<string>, type: Type) =>
  objectOf(Object.fromEntries(names.map((name) => [name, type])))

/** As `planloom test --metrics` names them. */
const rates = [
  "requirement_coverage_rate",
  "truth_coverage_rate",
  "unjustified_step_rate",
  "tool_retrieval_miss_rate",
  "plan_repair_rate",
]

/** Of one variant. */
const figureTypes = ({ score }: Evaluation): { readonly [figure: string]: Type } => ({
  cases: int,
  runs: int,
  passed: int,
  failed: int,
  pass_rate: number,
  pass_rate_low: number,
  pass_rate_high: number,
  unsteady: int,
  degraded: int,
  clarifications: int,
  missed: int,
  failures: same(Object.keys(failureClasses), int),
  scores: same(Object.keys(score), spread),
  planning: same(rates, number),
  calibration: objectOf({
    count: int,
    confidence: number,
    right: number,
    brier_score: number,
    expected_calibration_error: number,
  }),
  parse_success_rate: number,
  ms: spread,
  cost: number,
  model_calls: int,
  estimated_calls: int,
  tool_calls: int,
  input_tokens: int,
  output_tokens: int,
  cached_tokens: int,
})

/** Of a variant, against the first one. */
const comparedType = ({ score }: Evaluation): Type =>
  objectOf({
    better: int,
    worse: int,
    same: int,
    p: number,
    scores: same(
      Object.keys(score),
      objectOf({ difference: number, higher: int, lower: int, p: number }),
    ),
  })

/** The roots of a gate: a variant's own figures, and those of all and of the baseline by name. */
export const gateTypes = (evaluation: Evaluation): { readonly [root: string]: Type } => {
  const own = figureTypes(evaluation)
  const names = Object.keys(evaluation.variants)
  return {
    ...own,
    variants: same(names, objectOf(own)),
    compared: same(names.slice(1), comparedType(evaluation)),
    // A baseline was written by an earlier form of the evaluation, whose scores may have been others.
    baseline: any,
  }
}
