/** PL1003: there is text around the expression of a condition. */
import type { Rule } from "./Rule.ts"

export const textCondition: Rule = {
  code: "PL1003",
  slug: "text_condition",
  severity: "error",
  title: "There is text around the expression of a condition",
  why: "A text is neither true nor false; elsewhere such a condition would always hold.",
  mend: "Write the whole condition as one expression, without `${{ }}`.",
  wrong: 'if: "${{ inputs.fast }} == true"',
  right: "if: inputs.fast",
}
