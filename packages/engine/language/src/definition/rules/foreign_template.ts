/** PL1004: a template of another tool, which is plain text here. */
import type { Rule } from "./Rule.ts"

export const foreignTemplate: Rule = {
  code: "PL1004",
  slug: "foreign_template",
  severity: "warning",
  title: "A template of another tool",
  why: "`{{ }}` and `${ }` are plain text here: the model or tool would read the name, not its value.",
  fix: "Write `${{ … }}`.",
  wrong: 'context: "{{ inputs.topic }}"',
  right: 'context: "${{ inputs.topic }}"',
}
