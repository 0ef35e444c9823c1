/** PL2015: a value of a switch has no case. */
import type { Rule } from "./Rule.ts"

export const missingCase: Rule = {
  code: "PL2015",
  slug: "missing_case",
  severity: "error",
  title: "A value of a switch has no case",
  why: "A switch without a case for its value, and without `else`, fails.",
  fix: "Add the case, or `else`.",
  wrong: "with: { on: inputs.kind, cases: { refund: … } }",
  right: "with: { on: inputs.kind, cases: { refund: … }, else: … }",
}
