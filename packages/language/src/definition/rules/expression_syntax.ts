/** PL1001: the expression cannot be read. */
import type { Rule } from "./Rule.ts"

export const expressionSyntax: Rule = {
  code: "PL1001",
  slug: "expression_syntax",
  severity: "error",
  title: "The expression cannot be read",
  why: "It is not CEL, the expression language.",
  mend: 'Mend the place shown. Text stands in quotes, `&&` is and, `||` is or, `!` is not, and a choice is `condition ? "yes" : "no"`.',
  wrong: "if: inputs.count > 3 and inputs.fast",
  right: "if: inputs.count > 3 && inputs.fast",
}
