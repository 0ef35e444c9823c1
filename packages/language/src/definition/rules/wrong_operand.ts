/** PL1202: the operator has no meaning for these types. */
import type { Rule } from "./Rule.ts"

export const wrongOperand: Rule = {
  code: "PL1202",
  slug: "wrong_operand",
  severity: "error",
  title: "The operator has no meaning for these types",
  why: "It would fail on every value.",
  mend: "Convert one side, or compare what was meant.",
  wrong: 'text: "${{ \\"n = \\" + inputs.count }}"',
  right: 'text: "n = ${{ inputs.count }}"',
}
