/** PL1205: the comparison is never true. */
import type { Rule } from "./Rule.ts"

export const neverEqual: Rule = {
  code: "PL1205",
  slug: "never_equal",
  severity: "warning",
  title: "The comparison is never true",
  why: "The value comes from a fixed set that lacks the other side, or the two sides have different types.",
  fix: "Use one of the values that the message lists.",
  wrong: 'if: stages.plan.outcome == "succes"',
  right: 'if: stages.plan.outcome == "success"',
}
