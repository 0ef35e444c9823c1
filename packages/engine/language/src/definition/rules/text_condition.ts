/** PL1003: a condition has text around its expression. */
import type { Rule } from "./Rule.ts"

export const textCondition: Rule = {
  code: "PL1003",
  slug: "text_condition",
  severity: "error",
  title: "A condition has text around its expression",
  why: "A text is neither true nor false; elsewhere such a condition would always be true.",
  fix: "Write the whole condition as one expression, without `${{ }}`.",
  wrong: 'if: "${{ inputs.fast }} == true"',
  right: "if: inputs.fast",
}
