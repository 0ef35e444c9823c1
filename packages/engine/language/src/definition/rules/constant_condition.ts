/** PL1401: the condition is always the same. */
import type { Rule } from "./Rule.ts"

export const constantCondition: Rule = {
  code: "PL1401",
  slug: "constant_condition",
  severity: "warning",
  title: "The condition is always the same",
  why: "It depends on no value of the run, so it decides nothing.",
  fix: "Remove it, or compare a value of the workflow.",
  wrong: "if: 1 < 2",
  right: "if: inputs.count < 2",
}
