/** Changes a plan without a model: the steps of rules, and searches that found nothing with wider limits. */
import type { Entity } from "@planloom/plugin/effect"
import type { Plan } from "@planloom/planning"
import { sameJson } from "@planloom/schema"
import { fittingPlan, type PlanGround } from "../plan/fittingPlan.ts"
import { unchanged, type Decision } from "./Decision.ts"
import { withFollowUps } from "./followUps.ts"
import { emptySteps } from "./missingIn.ts"
import type { ReflectInput } from "./ReflectInput.ts"
import type { Missing } from "./Reflection.ts"
import { relaxPlan } from "./relaxPlan.ts"

export const decideMechanically = (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  entities: ReadonlyArray<Entity>,
  ground: PlanGround,
): Decision => {
  if (!input.mechanical) return unchanged(plan, true, "changes without a model are switched off")
  const { plan: extended } = withFollowUps(plan, missing, entities, ground)
  const relaxed = relaxPlan(extended, emptySteps(missing), input.relax, input.round, ground.tools)
  if (sameJson(relaxed, plan))
    return unchanged(
      plan,
      true,
      "nothing is left to try without a model: no rule and no relaxed search changes the plan",
    )
  const made = fittingPlan(relaxed, { ...ground, before: plan })
  if ("issues" in made)
    return unchanged(plan, true, `the changed plan cannot be executed: ${made.issues[0]!.message}`)
  return {
    ...made,
    strategy: sameJson(relaxed, extended) ? "extend" : "relax",
    done: false,
  }
}
