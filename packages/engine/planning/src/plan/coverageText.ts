/** Formats a coverage report as instructions for a planner's next attempt. */
import type { Coverage } from "./CoverageReport.ts"
import type { Plan } from "./Plan.ts"

const toolOf = (plan: Plan, id: string | undefined) =>
  plan.steps.find((step) => step.id === id)?.tool

/** One line per kind of issue, in a fixed order; empty text without issues. */
export const coverageText = (coverage: Omit<Coverage, "text">, plan: Plan): string => {
  const missing = Object.entries(coverage.missing).map(
    ([kind, labels]) => `${kind}=[${labels.join(", ")}]`,
  )
  // A step that has to go needs no better citations.
  const uncited = coverage.issues.filter(({ code }) => code === "uncited").map(({ step }) => step)
  const lines = [
    missing.length === 0 ? [] : [`Missing coverage: ${missing.join(", ")}`],
    coverage.unjustified.length === 0
      ? []
      : [`Remove unjustified steps: ${coverage.unjustified.join(", ")}`],
    coverage.order.map(({ before, missing: lacking, step, requirement, message }) => {
      const first = toolOf(plan, before) ?? lacking ?? "a step"
      return `Fix order: ${first} before ${toolOf(plan, step)} for ${requirement} (${message})`
    }),
    coverage.issues
      .filter(({ code }) => code === "false_citation" || code === "unknown_requirement")
      .filter(({ step }) => !uncited.includes(step))
      .map(({ message }) => `Fix citation: ${message}`),
  ]
  return lines.flat().join("\n")
}
