/** PL1204: the expression gives the wrong type. */
import type { Rule } from "./Rule.ts"

export const wrongResult: Rule = {
  code: "PL1204",
  slug: "wrong_result",
  severity: "error",
  title: "The expression gives the wrong type",
  why: "What it gives does not fit where it stands: a condition takes true or false, `for_each` a list, and a stage's input what its kind says.",
  mend: "Compare or convert it.",
  wrong: "if: inputs.rows",
  right: "if: size(inputs.rows) > 0",
}
