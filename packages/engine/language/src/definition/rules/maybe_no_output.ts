/** PL2006: the stage may have no output. */
import type { Rule } from "./Rule.ts"

export const maybeNoOutput: Rule = {
  code: "PL2006",
  slug: "maybe_no_output",
  severity: "error",
  title: "The stage may have no output",
  why: "It is skipped when its `if` is false, or it may fail while the run continues; then reading its output fails.",
  fix: "Check first: `has(stages.x.output)`, in the expression itself or in the `if` of the stage that reads it.",
  wrong: 'text: "${{ stages.review.output.text }}"',
  right: 'text: "${{ has(stages.review.output) ? stages.review.output.text : \\"\\" }}"',
}
