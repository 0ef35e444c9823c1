/** PL1207: the type of the expression is only known in a run. */
import type { Rule } from "./Rule.ts"

export const untypedValue: Rule = {
  code: "PL1207",
  slug: "untyped_value",
  severity: "note",
  title: "The type of the expression is only known in a run",
  why: "What the expression reads has no schema, so that `check` cannot compare it with what a tool or a workflow expects.",
  fix: "Declare the schema: `output` of a stage that a plugin brings, `result` of a tool, `type` of an input.",
  wrong: 'with: { tool: refund, params: { id: "${{ stages.found.output.id }}" } }',
  right: 'with: { tool: refund, params: { id: "${{ inputs.id }}" } }',
}
