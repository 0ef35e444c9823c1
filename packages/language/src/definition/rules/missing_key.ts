/** PL0102: a key is missing. */
import type { Rule } from "./Rule.ts"

export const missingKey: Rule = {
  code: "PL0102",
  slug: "missing_key",
  severity: "error",
  title: "A key is missing",
  why: "The thing cannot work without it, and there is no value that would be right for everybody.",
  mend: "Add the key.",
  wrong: "- id: plan",
  right: "- id: plan\n  uses: adapt",
}
