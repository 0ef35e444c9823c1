/** How well plans were made, as rates from 0 to 1. */
import type { TestFileReport } from "../workflow/TestReport.ts"
import { noTally, sumTallies, type PlanningTally } from "./PlanningTally.ts"
import { rate } from "./figures.ts"

/** Which of two values of a metric is better. */
export const planningMetricNames = {
  /** Share of the requirements that a step of the plan covers. */
  requirement_coverage_rate: "more",
  /** Share of the requirements that tests list by hand that a step of the plan covers. */
  truth_coverage_rate: "more",
  /** Share of the steps that no requirement asks for. */
  unjustified_step_rate: "less",
  /** Share of the tools in plans that narrowing had not offered. */
  tool_retrieval_miss_rate: "less",
  /** Share of the executed steps whose call had to be repaired first. */
  plan_repair_rate: "less",
} as const

export type PlanningMetricName = keyof typeof planningMetricNames

/** Rounded to four digits; null where nothing was counted. */
export type PlanningMetrics = { readonly [name in PlanningMetricName]: number | null }

export const planningMetrics = (tally: PlanningTally): PlanningMetrics => ({
  requirement_coverage_rate: rate(tally.covered, tally.requirements),
  truth_coverage_rate: rate(tally.met, tally.expected),
  unjustified_step_rate: rate(tally.unjustified, tally.steps),
  tool_retrieval_miss_rate: rate(tally.missed, tally.tools),
  plan_repair_rate: rate(tally.repaired, tally.executed),
})

/** The sum over all tests, but for runs that end in a failure or a question as their test expects. */
export const tallyOf = (reports: ReadonlyArray<TestFileReport>): PlanningTally =>
  sumTallies(
    reports.flatMap(({ tests }) =>
      tests
        .filter(({ ok, result }) => !ok || result?.status === "succeeded")
        .map(({ planning }) => planning ?? noTally),
    ),
  )
