/** A finished run of a case → what of its expectations does not hold, and its scores. */
import { compileExpression, ExpressionFailed } from "@planloom/expression"
import type { RunResult } from "@planloom/core"
import type { Json } from "@planloom/plugin/effect"
import { predictionOf, type Prediction } from "../metrics/calibration.ts"
import type { PlanningTally } from "../metrics/PlanningTally.ts"
import { tallyPlanning } from "../metrics/tallyPlanning.ts"
import type { HermeticRun } from "../workflow/hermeticRun.ts"
import { resultScope, uncovered, unmet, type Unmet } from "../workflow/expectations.ts"
import type { Evaluation, EvaluationCase } from "../file/Evaluation.ts"

export interface JudgedRun {
  readonly unmet: ReadonlyArray<Pick<Unmet, "assertion" | "message">>
  readonly scores: { readonly [name: string]: number | undefined }
  /** Misses: items that it should have found. */
  readonly missed: ReadonlyArray<Json>
  readonly planning: PlanningTally
  /** Absent without an answer, a confidence or a truth. */
  readonly prediction: Prediction | undefined
}

/** Made once; the expressions of scores and misses are compiled then. */
export const runJudge = ({ expect, misses, score }: Evaluation, reads: ReadonlySet<string>) => {
  const missed = misses === undefined ? undefined : compileExpression(misses)
  const scores = Object.entries(score).map(
    ([name, source]) => [name, compileExpression(source)] as const,
  )
  return (
    { assert, inputs, requirements, row, status }: EvaluationCase,
    result: RunResult,
    ran: Pick<HermeticRun, "events" | "prompts">,
  ): JudgedRun => {
    const { events } = ran
    const scope = { ...resultScope(result, ran, reads), row, inputs }
    const expected = {
      status,
      assert: [...(expect?.assert ?? []), ...assert],
      requirements: [...(expect?.requirements ?? []), ...requirements],
    }
    const wrong = [...unmet(expected, result, scope), ...uncovered(expected, result, events)]
    return {
      planning: tallyPlanning(events, expected.requirements),
      prediction: predictionOf(expected, wrong.length === 0, result, events),
      unmet: wrong,
      missed: missed === undefined ? [] : listOf(() => missed.evaluate(scope)),
      scores: Object.fromEntries(
        scores.map(([name, { evaluate }]) => [name, numberOf(() => evaluate(scope))]),
      ),
    }
  }
}

/** A run that failed has no answer to score: it has no number, rather than one that would stand for it. */
const numberOf = (evaluate: () => Json): number | undefined => {
  const value = evaluated(evaluate)
  if (typeof value === "boolean") return Number(value)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

const listOf = (evaluate: () => Json): ReadonlyArray<Json> => {
  const value = evaluated(evaluate)
  return Array.isArray(value) ? value : []
}

const evaluated = (evaluate: () => Json): Json | undefined => {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof ExpressionFailed) return undefined
    throw error
  }
}
