/** PL4014: unknown environment. */
import type { Rule } from "./Rule.ts"

export const unknownEnvironment: Rule = {
  code: "PL4014",
  slug: "unknown_environment",
  severity: "error",
  title: "Unknown environment",
  why: "The requested settings do not exist, and the workflow would run with others.",
  fix: "Name an environment that `planloom.yaml` declares, or declare it there.",
  wrong:
    "# planloom run flow.yaml --env prd\nenvironments: { prod: { set: { defaults.timeout: 5s } } }",
  right:
    "# planloom run flow.yaml --env prod\nenvironments: { prod: { set: { defaults.timeout: 5s } } }",
}
