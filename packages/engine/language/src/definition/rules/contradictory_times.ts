/** PL3003: two times contradict each other. */
import { formatDuration } from "@planloom/plugin/duration"
import type { Rule } from "./Rule.ts"

export const contradictoryTimes: Rule = {
  code: "PL3003",
  slug: "contradictory_times",
  severity: "warning",
  title: "Two times contradict each other",
  why: "The longer of them can never be reached.",
  fix: "Make the outer time the longer one.",
  wrong: "timeout: 1m\nstages:\n  - { id: plan, uses: adapt, timeout: 5m }",
  right: "timeout: 10m\nstages:\n  - { id: plan, uses: adapt, timeout: 5m }",
  check: ({ analysis, definition }) => {
    const { timeout } = definition
    const stages = analysis.tree.all.flatMap(({ path, stage }) =>
      timeout !== undefined && stage.timeout !== undefined && stage.timeout > timeout
        ? [
            {
              code: "PL3003",
              severity: "warning" as const,
              message: `the whole run ends after ${formatDuration(timeout)}, before this timeout of ${formatDuration(stage.timeout)}`,
              path: [...path, "timeout"],
              help: "make the run's timeout longer, or this one shorter",
            },
          ]
        : [],
    )
    const policies = Object.entries(definition.policies.retry).flatMap(([name, policy]) =>
      policy.delay > policy.max_delay
        ? [
            {
              code: "PL3003",
              severity: "warning" as const,
              message: `the first delay of ${formatDuration(policy.delay)} is longer than max_delay, ${formatDuration(policy.max_delay)}`,
              path: ["policies", "retry", name, "delay"],
              help: "make max_delay the longer one",
            },
          ]
        : [],
    )
    return [...stages, ...policies]
  },
}
