/** PL1102: unknown function. */
import type { Rule } from "./Rule.ts"

export const unknownFunction: Rule = {
  code: "PL1102",
  slug: "unknown_function",
  severity: "error",
  title: "Unknown function",
  why: "The expression would fail when it is evaluated.",
  fix: "Use the function that the message suggests.",
  wrong: "if: length(inputs.rows) > 0",
  right: "if: size(inputs.rows) > 0",
}
