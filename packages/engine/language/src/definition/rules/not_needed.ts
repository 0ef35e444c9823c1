/** PL2004: the stage does not wait for what it reads. */
import type { Rule } from "./Rule.ts"

export const notNeeded: Rule = {
  code: "PL2004",
  slug: "not_needed",
  severity: "error",
  title: "The stage does not wait for what it reads",
  why: "Once a stage of a block has `needs`, each stage waits only for those it needs; the one it reads may still be running.",
  fix: "Add it to `needs`.",
  wrong:
    '- { id: answer, uses: respond, needs: [tools], with: { plan: "${{ stages.plan.output }}" } }',
  right:
    '- { id: answer, uses: respond, needs: [tools, plan], with: { plan: "${{ stages.plan.output }}" } }',
}
