/** Failure classes after which another model is tried, and those after which a stage falls back to its mechanical strategy. */
import type { FailureClass, FailureRecord, JsonObject } from "@planloom/plugin/effect"
import { isHookFailure } from "../hook/HookFault.ts"

/** Another model may do better on these; on all others the request itself is at fault. */
export const worthAnotherModel: ReadonlySet<FailureClass> = new Set<FailureClass>([
  "rate_limit",
  "overloaded",
  "timeout",
  "unavailable",
  "auth",
  "content_filter",
  "context_length",
  "too_large",
  "no_model",
])

/** Whether the call is made again with the next model, if there is one. */
export const leadsToAnotherModel = (failure: FailureRecord): boolean =>
  worthAnotherModel.has(failure.class) && !isHookFailure(failure)

const modelAtFault: ReadonlySet<FailureClass> = new Set<FailureClass>([
  ...worthAnotherModel,
  "invalid_output",
])

/** Budgets that are spent by asking models, and by nothing else. */
const modelBudgets: ReadonlySet<unknown> = new Set(["cost_usd", "model_calls", "tokens"])

/**
 * A model's way gives way to the mechanical one when its models, not the input, are at fault, or when they may not
 * be asked any more. A budget of tool calls or of time binds both ways.
 */
export const worthMechanical = (failure: FailureRecord): boolean =>
  !isHookFailure(failure) &&
  (modelAtFault.has(failure.class) ||
    (failure.class === "budget" &&
      modelBudgets.has((failure.detail as JsonObject | undefined)?.["key"])))
