/** PL1401: the condition is always the same. */
import type { Rule } from "./Rule.ts"

export const constantCondition: Rule = {
  code: "PL1401",
  slug: "constant_condition",
  severity: "warning",
  title: "The condition is always the same",
  why: "It does not depend on anything, so it decides nothing.",
  mend: "Remove it, or compare something the workflow knows.",
  wrong: "if: 1 < 2",
  right: "if: inputs.count < 2",
}
