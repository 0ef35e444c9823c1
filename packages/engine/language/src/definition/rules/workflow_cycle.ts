/** PL4012: a workflow runs itself. */
import type { Rule } from "./Rule.ts"

export const workflowCycle: Rule = {
  code: "PL4012",
  slug: "workflow_cycle",
  severity: "error",
  title: "A workflow runs itself",
  why: "The run would never end: the inner workflow starts the outer one again.",
  fix: "Break the cycle: move what both need into a workflow of its own.",
  wrong: "# in plan.yaml\n- { id: again, uses: workflow, with: { path: ./plan.yaml, inputs: {} } }",
  right:
    "# in plan.yaml\n- { id: deeper, uses: workflow, with: { path: ./details.yaml, inputs: {} } }",
}
