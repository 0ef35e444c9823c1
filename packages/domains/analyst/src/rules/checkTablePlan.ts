/** Coverage and lint of a plan over tables. */
import type { Tool } from "@planloom/plugin/effect"
import { coverage, lintPlan } from "@planloom/planning"
import type { Coverage, LintIssue, Plan } from "@planloom/planning"
import type { DataProfile } from "@planloom/tables"
import type { Requirements } from "../requirements/Requirements.ts"
import { tableData } from "./tableData.ts"
import { tableRules } from "./tableRules.ts"

/** Data type of the workflow's own data. */
export const SOURCE_TYPE = "table"

export const coverTablePlan = (
  plan: Plan,
  requirements: Requirements,
  tools: ReadonlyArray<Tool>,
): Coverage => coverage(plan, tableRules(requirements), tools)

/** With a profile, column names are checked, too. */
export const lintTablePlan = (
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  { profile }: { readonly profile?: DataProfile } = {},
): ReadonlyArray<LintIssue> =>
  lintPlan(plan, tools, { data: tableData(profile), source: SOURCE_TYPE })
