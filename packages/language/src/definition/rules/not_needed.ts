/** PL2004: the stage does not wait for what it reads. */
import type { Rule } from "./Rule.ts"

export const notNeeded: Rule = {
  code: "PL2004",
  slug: "not_needed",
  severity: "error",
  title: "The stage does not wait for what it reads",
  why: "As soon as one stage of a block has `needs`, each waits only for what it needs; the other one may still be running.",
  mend: "Add it to `needs`.",
  wrong:
    '- { id: answer, uses: respond, needs: [tools], with: { plan: "${{ stages.plan.output }}" } }',
  right:
    '- { id: answer, uses: respond, needs: [tools, plan], with: { plan: "${{ stages.plan.output }}" } }',
}
