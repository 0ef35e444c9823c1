/** PL0102: a required key is missing. */
import type { Rule } from "./Rule.ts"

export const missingKey: Rule = {
  code: "PL0102",
  slug: "missing_key",
  severity: "error",
  title: "A required key is missing",
  why: "No default would be right for every workflow.",
  fix: "Add the key.",
  wrong: "- id: plan",
  right: "- id: plan\n  uses: adapt",
}
