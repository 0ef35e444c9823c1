/** PL2003: the stage has not run yet. */
import type { Rule } from "./Rule.ts"

export const notYetRun: Rule = {
  code: "PL2003",
  slug: "not_yet_run",
  severity: "error",
  title: "The stage has not run yet",
  why: "Stages run in order; this one is read before it has an output.",
  fix: "Move it up. To pass values from one iteration of a loop to the next, use `repeat: { carry, next }`.",
  wrong:
    '- { id: answer, uses: respond, with: { plan: "${{ stages.plan.output }}" } }\n- { id: plan, uses: adapt }',
  right:
    '- { id: plan, uses: adapt }\n- { id: answer, uses: respond, with: { plan: "${{ stages.plan.output }}" } }',
}
