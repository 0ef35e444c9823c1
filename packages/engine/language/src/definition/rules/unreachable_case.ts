/** PL2014: the case of a switch never runs. */
import type { Rule } from "./Rule.ts"

export const unreachableCase: Rule = {
  code: "PL2014",
  slug: "unreachable_case",
  severity: "error",
  title: "The case of a switch never runs",
  why: "The expression cannot have its value.",
  fix: "Use a value that the message lists, or remove the case.",
  wrong: "cases: { refnd: { uses: set, with: { value: 1 } } }",
  right: "cases: { refund: { uses: set, with: { value: 1 } } }",
}
