/** PL4014: there is no such environment. */
import type { Rule } from "./Rule.ts"

export const unknownEnvironment: Rule = {
  code: "PL4014",
  slug: "unknown_environment",
  severity: "error",
  title: "There is no such environment",
  why: "The settings that were asked for do not exist; running without them would be something else.",
  mend: "Name an environment that `planloom.yaml` declares, or declare it there.",
  wrong:
    "# planloom run flow.yaml --env prd\nenvironments: { prod: { set: { defaults.timeout: 5s } } }",
  right:
    "# planloom run flow.yaml --env prod\nenvironments: { prod: { set: { defaults.timeout: 5s } } }",
}
