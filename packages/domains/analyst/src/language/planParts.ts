/** The parts of requirements that words of a question must back. */
import type { PlanPart } from "@planloom/planning/reading"
import type { Constraint, Requirements } from "../requirements/Requirements.ts"

/** One use for each part: `metrics:revenue`, `filter:region`, `time`. */
const useOf = (constraint: Constraint): string => {
  switch (constraint.kind) {
    case "filter":
    case "part":
    case "having":
      return `${constraint.kind}:${constraint.column}`
    case "time_part":
      return `time_part:${constraint.as}`
    case "exclude":
      return `exclude:${constraint.output}`
    case "chart_type":
      return `chart_type:${constraint.chart}`
    default:
      return constraint.kind
  }
}

/** What implies a time axis beside a word for time itself. */
const timely = [
  "analysis:trend",
  "analysis:forecast",
  "analysis:moving_average",
  "analysis:compare",
]

export const planParts = ({
  analysis,
  constraints,
  group_by: groups,
  metrics,
  outputs,
  time,
}: Requirements): ReadonlyArray<PlanPart> => {
  const hasTime = time.column !== "" || time.grain !== "unknown"
  const uses = [
    ...metrics.map((name) => [`metrics:${name}`]),
    ...groups.map((name) => [`group_by:${name}`]),
    ...(hasTime ? [["time", "window", "horizon", ...timely]] : []),
    ...analysis.map((name) => [`analysis:${name}`]),
    ...outputs.map((name) => [`outputs:${name}`]),
    ...constraints.map((one) => [useOf(one)]),
  ]
  return uses.map((names) => ({
    label: (names[0] ?? "").replace(":", " "),
    uses: names,
  }))
}
