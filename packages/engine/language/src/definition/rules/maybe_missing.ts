/** PL1206: the field may be missing. */
import type { Rule } from "./Rule.ts"

export const maybeMissing: Rule = {
  code: "PL1206",
  slug: "maybe_missing",
  severity: "warning",
  title: "The field may be missing",
  why: "Its schema does not require it. When it is missing the expression fails, and the stage with it.",
  fix: "Guard it with `has()`, or make it required in the schema.",
  wrong: 'text: "${{ stages.plan.output.note }}"',
  right: 'text: "${{ has(stages.plan.output.note) ? stages.plan.output.note : \\"\\" }}"',
}
