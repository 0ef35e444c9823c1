/** The domain `tables`: the rules that the generic planning kinds apply to tables. */
import { planningDomain } from "@planloom/planning"
import { describeProfile, readProfile } from "@planloom/tables"
import { adaptPlan } from "./adapt/adaptPlan.ts"
import { requirementsSchema } from "./requirements/Requirements.ts"
import type { Requirements } from "./requirements/Requirements.ts"
import { SOURCE_TYPE } from "./rules/checkTablePlan.ts"
import { inputRules, tableData } from "./rules/tableData.ts"
import { tableRules } from "./rules/tableRules.ts"

export const tables = planningDomain("tables", "Questions about tables.", {
  requirements: requirementsSchema,
  // The kinds have checked them against the schema.
  planRules: (requirements) => tableRules(requirements as unknown as Requirements),
  source: SOURCE_TYPE,
  dataRules: (profile) => tableData(profile === undefined ? undefined : readProfile(profile)),
  callRules: inputRules,
  adapt: ({ profile, requirements, templates, tools }) =>
    adaptPlan({
      templates,
      requirements: requirements as unknown as Requirements,
      tools,
      profile: readProfile(profile),
    }),
  instructions: [
    "Group by and time come before plotting: a chart reads the step that aggregates, never the raw rows.",
    "Filters come first: everything reads the filtered rows.",
  ],
  describe: (profile) => describeProfile(readProfile(profile)),
  safety: ["aggregate", "plot_line", "compute_summary_stats"],
})
