/** PL1203: the function is called wrongly. */
import type { Rule } from "./Rule.ts"

export const wrongArgument: Rule = {
  code: "PL1203",
  slug: "wrong_argument",
  severity: "error",
  title: "The function is called wrongly",
  why: "It would fail on every value.",
  mend: "Call it as the message shows.",
  wrong: 'if: inputs.count.startsWith("a")',
  right: 'if: string(inputs.count).startsWith("a")',
}
