/** PL2006: the stage may have no output. */
import type { Rule } from "./Rule.ts"

export const maybeNoOutput: Rule = {
  code: "PL2006",
  slug: "maybe_no_output",
  severity: "error",
  title: "The stage may have no output",
  why: "It is skipped when its `if` does not hold, or it may fail and the run goes on; then reading its output fails.",
  mend: "Ask first: `has(stages.x.output)`, in the expression itself or in the `if` of the stage that reads it.",
  wrong: 'text: "${{ stages.review.output.text }}"',
  right: 'text: "${{ has(stages.review.output) ? stages.review.output.text : \\"\\" }}"',
}
