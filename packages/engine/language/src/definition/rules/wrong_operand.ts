/** PL1202: the operator does not support these types. */
import type { Rule } from "./Rule.ts"

export const wrongOperand: Rule = {
  code: "PL1202",
  slug: "wrong_operand",
  severity: "error",
  title: "The operator does not support these types",
  why: "It would fail on every value.",
  fix: "Convert one side, or compare the value you mean.",
  wrong: 'text: "${{ \\"n = \\" + inputs.count }}"',
  right: 'text: "n = ${{ inputs.count }}"',
}
