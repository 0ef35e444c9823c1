/** PL0110: two keys contradict each other. */
import type { Rule } from "./Rule.ts"

export const conflictingKeys: Rule = {
  code: "PL0110",
  slug: "conflicting_keys",
  severity: "error",
  title: "Two keys contradict each other",
  why: "Only one of them could apply.",
  fix: "Keep the one you mean.",
  wrong: "- id: plan\n  uses: adapt\n  stages: []",
  right: "- id: plan\n  uses: adapt",
}
