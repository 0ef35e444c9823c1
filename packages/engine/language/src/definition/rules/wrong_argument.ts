/** PL1203: the function is called with wrong arguments. */
import type { Rule } from "./Rule.ts"

export const wrongArgument: Rule = {
  code: "PL1203",
  slug: "wrong_argument",
  severity: "error",
  title: "The function is called with wrong arguments",
  why: "The call would fail on every value.",
  fix: "Call it as the message shows.",
  wrong: 'if: inputs.count.startsWith("a")',
  right: 'if: string(inputs.count).startsWith("a")',
}
