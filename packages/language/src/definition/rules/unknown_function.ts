/** PL1102: there is no such function. */
import type { Rule } from "./Rule.ts"

export const unknownFunction: Rule = {
  code: "PL1102",
  slug: "unknown_function",
  severity: "error",
  title: "There is no such function",
  why: "The expression would fail when it is evaluated.",
  mend: "Take the function the message suggests.",
  wrong: "if: length(inputs.rows) > 0",
  right: "if: size(inputs.rows) > 0",
}
