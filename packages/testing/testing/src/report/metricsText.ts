/** Metrics of plans for a person at a terminal. */
import type { Regression } from "../metrics/Baseline.ts"
import { planningMetrics } from "../metrics/planningMetrics.ts"
import type { PlanningMetricName } from "../metrics/planningMetrics.ts"
import type { PlanningTally } from "../metrics/PlanningTally.ts"

const titles: { readonly [name in PlanningMetricName]: string } = {
  requirement_coverage_rate: "requirement coverage",
  truth_coverage_rate: "coverage of the truth",
  unjustified_step_rate: "unjustified steps",
  tool_retrieval_miss_rate: "tools missed by narrowing",
  plan_repair_rate: "repaired steps",
}

const counts = (tally: PlanningTally): { readonly [name in PlanningMetricName]: string } => ({
  requirement_coverage_rate: `${tally.covered} of ${tally.requirements} requirements`,
  truth_coverage_rate: `${tally.met} of ${tally.expected} expected requirements`,
  unjustified_step_rate: `${tally.unjustified} of ${tally.steps} steps`,
  tool_retrieval_miss_rate: `${tally.missed} of ${tally.tools} tools`,
  plan_repair_rate: `${tally.repaired} of ${tally.executed} executed steps`,
})

const percent = (rate: number | null): string =>
  rate === null ? "–" : `${Number((rate * 100).toFixed(2))} %`

/** One line for each metric; what is worse than the baseline says what it was. Ends with a line break. */
export const metricsText = (
  tally: PlanningTally,
  worse: ReadonlyArray<Regression> = [],
): string => {
  const counted = counts(tally)
  const lines = Object.entries(planningMetrics(tally)).map(([name, rate]) => {
    const metric = name as PlanningMetricName
    const was = worse.find((one) => one.metric === metric)?.was
    const regression = was === undefined ? "" : `  worse than the baseline's ${percent(was)}`
    const mark = was === undefined ? " " : "✗"
    return `${mark} ${titles[metric].padEnd(27)}${percent(rate).padStart(8)}  ${counted[metric]}${regression}`
  })
  return `${lines.join("\n")}\n`
}
