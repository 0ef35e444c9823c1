/** Lets a model choose how a plan is changed. What rules add to the plan is in it before. */
import * as Effect from "effect/Effect"
import { StageFailed, type StageContext } from "@planloom/plugin/effect"
import type { Plan } from "@planloom/planning"
import { sameJson } from "@planloom/schema"
import { corrections } from "@planloom/stage-kit"
import { fittingPlan, unfitPlan, type PlanGround } from "../plan/fittingPlan.ts"
import { unchanged, type Decision } from "./Decision.ts"
import { withFollowUps } from "./followUps.ts"
import { emptySteps, entitiesOf, isEmptyStep } from "./missingIn.ts"
import type { ReflectInput } from "./ReflectInput.ts"
import type { Missing } from "./Reflection.ts"
import { reflectInstructions, reflectQuestion } from "./reflectPrompt.ts"
import { replySchema } from "./reflectSchemas.ts"
import { relaxPlan } from "./relaxPlan.ts"
import { revisedPlan, type ReflectReply } from "./revisedPlan.ts"

export const decideWithModel = Effect.fnUntraced(function* (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  ground: PlanGround,
  context: StageContext,
) {
  const { open, plan: extended } = input.mechanical
    ? withFollowUps(plan, missing, entitiesOf(input), ground)
    : { open: missing, plan }
  const isExtended = extended.steps.length > plan.steps.length
  // Where the steps of rules find all of it, no model is needed.
  if (open.length === 0)
    return { plan: extended, strategy: "extend", done: false } satisfies Decision
  const { queries } = input
  const tool =
    queries === undefined ? undefined : context.tools.find(({ name }) => name === queries)
  if (queries !== undefined && tool === undefined) {
    return yield* new StageFailed({
      class: "invalid_request",
      message: `there is no tool "${queries}" for queries`,
    })
  }
  const question = reflectQuestion(input, extended, missing, context.tools)
  yield* context.note("reflection_prompt", { round: input.round, prompt: question })
  const reply = (yield* context.model.json(
    {
      prompt: {
        sections: [{ id: "instructions", text: reflectInstructions(input), stable: true }],
      },
      messages: [{ role: "user", content: question }, ...corrections(context)],
    },
    { name: "reflection", schema: replySchema(Object.keys(input.strategies), tool) },
  )) as ReflectReply
  const decided = yield* decisionOf(reply, extended, missing, input, ground)
  return isExtended && decided.strategy === "none"
    ? ({ ...decided, strategy: "extend", done: false } satisfies Decision)
    : decided
})

const decisionOf = (
  reply: ReflectReply,
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  ground: PlanGround,
): Effect.Effect<Decision, StageFailed> => {
  const { reasoning = "", strategy = "relax", user_message: message = "" } = reply
  if (strategy === "none") return Effect.succeed(unchanged(plan, true, reasoning))
  const found = plan.steps.flatMap(({ id }) =>
    Object.hasOwn(input.results.steps, id) && !isEmptyStep(input.results, id) ? [id] : [],
  )
  const relaxed =
    strategy === "relax"
      ? relaxPlan(plan, emptySteps(missing), input.relax, input.round, ground.tools)
      : plan
  const revision = sameJson(relaxed, plan)
    ? revisedPlan(plan, reply, found, input.queries)
    : { plan: relaxed, rejected: [] }
  if (revision === undefined) return Effect.succeed(unchanged(plan, true, reasoning))
  const made = fittingPlan(revision.plan, { ...ground, before: plan })
  return "issues" in made
    ? Effect.fail(unfitPlan(made.issues, JSON.stringify(reply)))
    : Effect.succeed({
        ...made,
        strategy,
        done: false,
        reasoning,
        message: message.trim(),
        rejected: revision.rejected,
      })
}
