/** Starts one hook: the result of one that ends synchronously, and the effect of one that does not. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Failure, JsonObject } from "@planloom/plugin/effect"
import { formatDuration } from "@planloom/plugin/duration"
import { formatIssues } from "@planloom/schema"
import type { BoundHook, CallFilter } from "../pipeline/HookPlan.ts"
import type { Drafts } from "./Drafts.ts"
import type { HookCall } from "./HookCall.ts"
import { HookContext } from "./HookContext.ts"
import { faultIn, lateHook, malformed, threw, type HookFault } from "./HookFault.ts"
import { withinTime } from "./withinTime.ts"

/** A fault apart from anything that a hook can return. */
export class Fault {
  readonly fault: HookFault
  constructor(fault: HookFault) {
    this.fault = fault
  }
}

/** In place of the result of a hook whose condition does not hold. */
export const notApplied = Symbol("not applied")

/** What the hook returned, or its fault; an effect of it while the hook works asynchronously, within its time. */
export const startHook = (call: HookCall, bound: BoundHook, drafts: Drafts): unknown => {
  const { constant, hook, only, timeout, validate, when, with: options } = bound
  if (only !== undefined && !includes(only, call)) return notApplied
  try {
    let given = constant
    const draft = drafts.seen
    if (when !== undefined || given === undefined) {
      const scope = { ...call.site.scope, draft }
      if (when !== undefined && when.evaluate(scope) !== true) return notApplied
      if (given === undefined) {
        given = options.evaluate(scope) as JsonObject
        const issues = validate(given)
        if (issues.length > 0)
          return new Fault(malformed(`its \`with\` does not fit: ${formatIssues(issues)}`))
      }
    }
    const result: unknown = hook.run(draft as never, new HookContext(call, hook.id, given))
    return Effect.isEffect(result)
      ? resultOf(result as Effect.Effect<unknown, Failure>, timeout)
      : result
  } catch (error) {
    return new Fault(threw(error))
  }
}

const includes = ({ mode, of }: CallFilter, call: HookCall): boolean =>
  (of?.includes(call.of ?? "") ?? true) && (mode?.includes(call.mode ?? "") ?? true)

const resultOf = (effect: Effect.Effect<unknown, Failure>, timeout: number): unknown => {
  const work = Exit.isExit(effect)
    ? effect
    : withinTime(effect, timeout, () => lateHook(formatDuration(timeout)))
  return Exit.isExit(work)
    ? ended(work as Exit.Exit<unknown, Failure>)
    : Effect.flatMap(Effect.exit(work), (exit) => {
        const result = ended(exit)
        return Effect.isEffect(result) ? (result as Effect.Effect<never>) : Effect.succeed(result)
      })
}

/** The value or the fault; an effect that fails for a cause that ends the attempt. */
const ended = (exit: Exit.Exit<unknown, Failure>): unknown => {
  if (Exit.isSuccess(exit)) return exit.value
  const fault = faultIn(exit.cause)
  return fault === undefined ? exit : new Fault(fault)
}
