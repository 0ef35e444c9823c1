/** PL1205: the comparison can never hold. */
import type { Rule } from "./Rule.ts"

export const neverEqual: Rule = {
  code: "PL1205",
  slug: "never_equal",
  severity: "warning",
  title: "The comparison can never hold",
  why: "The value can only be one of a few, and this is none of them; or the two sides are of different types.",
  mend: "Take one of the values the message lists.",
  wrong: 'if: stages.plan.outcome == "succes"',
  right: 'if: stages.plan.outcome == "success"',
}
