/** Metrics that were good enough once: kept in a file, and not to be fallen short of. */
import { planningMetricNames } from "./planningMetrics.ts"
import type { PlanningMetricName, PlanningMetrics } from "./planningMetrics.ts"

/** Metrics that were not counted then are absent and are not compared. */
export type Baseline = { readonly [name in PlanningMetricName]?: number }

export interface Regression {
  readonly metric: PlanningMetricName
  /** In the baseline. */
  readonly was: number
  /** Null when there is nothing to count any more. */
  readonly is: number | null
}

const names = Object.keys(planningMetricNames) as ReadonlyArray<PlanningMetricName>

const isWorse = (name: PlanningMetricName, was: number, is: number | null): boolean =>
  is === null || (planningMetricNames[name] === "more" ? is < was : is > was)

/** Every metric that is worse than it was. Metrics are rounded, so equal means equal. */
export const regressions = (
  metrics: PlanningMetrics,
  baseline: Baseline,
): ReadonlyArray<Regression> =>
  names.flatMap((metric) => {
    const was = baseline[metric]
    const is = metrics[metric]
    return was === undefined || !isWorse(metric, was, is) ? [] : [{ metric, was, is }]
  })

/** JSON with one line for each metric, so that a change is a readable one. */
export const baselineText = (metrics: PlanningMetrics): string =>
  `${JSON.stringify(
    Object.fromEntries(
      names.flatMap((name) => (metrics[name] === null ? [] : [[name, metrics[name]]])),
    ),
    undefined,
    2,
  )}\n`

/** What `baselineText` wrote, or in words why this is no baseline. */
export const readBaseline = (text: string): Baseline | string => {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  if (typeof read !== "object" || read === null || Array.isArray(read))
    return "it is no JSON object"
  for (const [name, value] of Object.entries(read)) {
    if (!Object.hasOwn(planningMetricNames, name)) return `there is no metric ${name}`
    if (typeof value !== "number" || value < 0 || value > 1) {
      return `${name} must be a number from 0 to 1`
    }
  }
  return read as Baseline
}
