/** Checks a model's plan of a turn against the rules that its schema cannot express. */
import { ModelFailed } from "@planloom/plugin/effect"
import type { Json, Tool } from "@planloom/plugin/effect"
import { claimsResult } from "./claimsResult.ts"
import { intentOf, needsTool, replyFor, unclearOf, type Intent, type TurnPlan } from "./Intent.ts"
import { shortReply } from "./shortReply.ts"
import { MAX_CANDIDATES } from "./turnPlanSchema.ts"

/** A valid plan, and which parts of the model's plan were changed; each change is recorded. */
export interface CheckedTurnPlan {
  readonly plan: TurnPlan
  readonly changes: ReadonlyArray<{
    readonly field: string
    readonly why: string
    readonly was: Json
  }>
}

const refused = (message: string): ModelFailed =>
  new ModelFailed({ class: "invalid_output", model: "planner", message })

/**
 * Fails with class `invalid_output` where only the model can correct it. A plan without a confidence has the `assumed` one. A reply that states results before
 * anything has run is replaced; one that is too long is cut.
 */
export const checkTurnPlan = (
  reply: Json,
  { assumed, sure }: { readonly assumed: number; readonly sure: number },
  intents: ReadonlyArray<Intent>,
  tools: ReadonlyArray<Tool>,
): CheckedTurnPlan | ModelFailed => {
  // The schema has been checked; only `confidence` may be missing.
  let plan: TurnPlan = {
    settled: false,
    open: [],
    each: false,
    ...({ confidence: assumed, ...(reply as object) } as Omit<
      TurnPlan,
      "settled" | "open" | "each"
    >),
  }
  const unclearReply = unclearOf(intents)?.reply ?? replyFor(intents, plan.intent)
  const changes: Array<CheckedTurnPlan["changes"][number]> = []
  const change = (field: keyof TurnPlan, value: unknown, why: string) => {
    changes.push({ field, why, was: plan[field] as Json })
    plan = { ...plan, [field]: value }
  }
  const needs = needsTool(intents, plan.intent)
  if (needs && plan.candidate_tools.length === 0 && plan.confidence >= sure)
    return refused(
      `/candidate_tools must name a tool for the intent ${plan.intent}; without one nothing is done`,
    )
  if (needs) {
    const group = (name: string) => tools.find((tool) => tool.name === name)?.group
    const fitting = plan.candidate_tools.filter((name) => group(name) === plan.intent)
    if (fitting.length === 0 && plan.candidate_tools.length > 0)
      return refused(
        `/candidate_tools names ${plan.candidate_tools.join(", ")}, which ${plan.candidate_tools.length === 1 ? "is" : "are"} not for the intent ${plan.intent}`,
      )
    if (fitting.length < plan.candidate_tools.length)
      change("candidate_tools", fitting, `the others are not for the intent ${plan.intent}`)
  }
  if (!needs && plan.candidate_tools.length > 0)
    change("candidate_tools", [], `the intent ${plan.intent} has no tool`)
  if (new Set(plan.candidate_tools).size < plan.candidate_tools.length)
    change("candidate_tools", [...new Set(plan.candidate_tools)], "a tool was named twice")
  if (plan.candidate_tools.length > MAX_CANDIDATES) {
    const first = plan.candidate_tools.slice(0, MAX_CANDIDATES)
    change("candidate_tools", first, `only the first ${MAX_CANDIDATES} count`)
  }
  if (plan.confidence < sure && plan.candidate_tools.length > 0) {
    change("candidate_tools", [], "the confidence is too low to act")
    if (!plan.chat_response.trim().endsWith("?"))
      change("chat_response", unclearReply, "nothing will be done")
  }
  if (needs && claimsResult(plan.chat_response))
    change(
      "chat_response",
      plan.candidate_tools.length === 0 ? unclearReply : replyFor(intents, plan.intent),
      "it states a result, and nothing has run",
    )
  const short = shortReply(plan.chat_response)
  if (short !== plan.chat_response.replace(/\s+/g, " ").trim())
    change("chat_response", short, "it is longer than 19 words")
  const each =
    intentOf(intents, plan.intent)?.tools === "actions" && plan.candidate_tools.length > 1
  return { plan: { ...plan, each }, changes }
}
