/** PL4016: a setting from outside names no value of the workflow. */
import type { Rule } from "./Rule.ts"

export const unknownSetting: Rule = {
  code: "PL4016",
  slug: "unknown_setting",
  severity: "error",
  title: "The setting names nothing that the workflow has",
  why: "What somebody meant to change would stay as it is, and nobody would know.",
  mend: "Name a stage, model, policy, input or output of the workflow: `--set` replaces values, it declares nothing that no stage asks for.",
  wrong:
    "# planloom run flow.yaml --set stages.drft.timeout=30s\nstages: [{ id: draft, uses: generate }]",
  right:
    "# planloom run flow.yaml --set stages.draft.timeout=30s\nstages: [{ id: draft, uses: generate }]",
}
