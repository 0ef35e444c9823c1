/** PL4016: unknown setting. */
import type { Rule } from "./Rule.ts"

export const unknownSetting: Rule = {
  code: "PL4016",
  slug: "unknown_setting",
  severity: "error",
  title: "Unknown setting",
  why: "The intended change would silently have no effect.",
  fix: "Name a stage, model, policy, input or output of the workflow: `--set` replaces values, and declares only what a stage refers to.",
  wrong:
    "# planloom run flow.yaml --set stages.drft.timeout=30s\nstages: [{ id: draft, uses: generate }]",
  right:
    "# planloom run flow.yaml --set stages.draft.timeout=30s\nstages: [{ id: draft, uses: generate }]",
}
