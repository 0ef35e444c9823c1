/** PL1001: the expression cannot be parsed. */
import type { Rule } from "./Rule.ts"

export const expressionSyntax: Rule = {
  code: "PL1001",
  slug: "expression_syntax",
  severity: "error",
  title: "The expression cannot be parsed",
  why: "It is not valid CEL, the expression language.",
  fix: 'Fix the marked place. Text is quoted, `&&` is and, `||` is or, `!` is not, and a choice is `condition ? "yes" : "no"`.',
  wrong: "if: inputs.count > 3 and inputs.fast",
  right: "if: inputs.count > 3 && inputs.fast",
}
