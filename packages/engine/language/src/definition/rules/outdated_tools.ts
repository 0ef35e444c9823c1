/** PL4048: the list of a tool source is outdated. */
import type { Rule } from "./Rule.ts"

export const outdatedTools: Rule = {
  code: "PL4048",
  slug: "outdated_tools",
  severity: "warning",
  title: "The list of a tool source is outdated",
  why: "The workflow is checked by the list that the source read last: its tools may have changed since.",
  fix: "Let the source read its list again; a run that uses the source does it.",
  wrong: "use: { plugins: [./remote.ts] }  # read three days ago, holds for one hour",
  right: "use: { plugins: [./remote.ts] }  # read ten minutes ago",
}
