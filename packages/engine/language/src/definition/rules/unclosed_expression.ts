/** PL1002: `${{` has no `}}`. */
import type { Rule } from "./Rule.ts"

export const unclosedExpression: Rule = {
  code: "PL1002",
  slug: "unclosed_expression",
  severity: "error",
  title: "`${{` has no `}}`",
  why: "The text would reach the model or tool with half an expression in it.",
  fix: "Close the expression. To write the characters themselves, write `$${{`.",
  wrong: 'text: "about ${{ inputs.topic"',
  right: 'text: "about ${{ inputs.topic }}"',
}
