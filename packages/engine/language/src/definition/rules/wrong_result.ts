/** PL1204: the expression has the wrong type. */
import type { Rule } from "./Rule.ts"

export const wrongResult: Rule = {
  code: "PL1204",
  slug: "wrong_result",
  severity: "error",
  title: "The expression has the wrong type",
  why: "Its value does not fit its place: a condition takes true or false, `for_each` a list, and a stage's input the type that its kind declares.",
  fix: "Add a comparison or a conversion.",
  wrong: "if: inputs.rows",
  right: "if: size(inputs.rows) > 0",
}
