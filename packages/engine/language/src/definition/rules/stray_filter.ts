/** PL4043: the filter of a hook names what the workflow does not have; found when sections are bound. */
import type { Rule } from "./Rule.ts"

export const strayFilter: Rule = {
  code: "PL4043",
  slug: "stray_filter",
  severity: "warning",
  title: "The filter of a hook matches nothing",
  why: "It names a stage, section, mode, tool or model that the workflow does not have, so the hook does not run for it.",
  fix: "Correct the name. A set of hooks that several workflows use may name stages of others: then ignore it.",
  wrong: "hooks: [{ use: polite, stage: replay }]   # the stage is called reply",
  right: "hooks: [{ use: polite, stage: reply }]",
}
