/** Why a hook failed, and the failure of the call that it surrounds. */
import * as Cause from "effect/Cause"
import {
  StageFailed,
  StoreFailed,
  Suspended,
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type JsonObject,
} from "@planloom/plugin/effect"
import { thrownClass } from "./thrownClass.ts"

/** What went wrong, and the stack of code that threw. */
export interface HookFault {
  readonly cause: "threw" | "failed" | "timeout" | "malformed" | "interrupted" | "blocked"
  readonly class: FailureRecord["class"]
  readonly message: string
  readonly stack?: string
  /** The stack without the message, which may quote what the component read. */
  readonly frames?: string
  /** The message without a word of the component, where there is one. */
  readonly plain?: string
  readonly detail?: FailureRecord["detail"]
}

export const threw = (error: unknown): HookFault => ({
  cause: "threw",
  class: "internal",
  message: error instanceof Error ? error.message : String(error),
  plain: `it threw: ${thrownClass(error)}`,
  ...(error instanceof Error && error.stack !== undefined
    ? { stack: error.stack, frames: framesOf(error.message, error.stack) }
    : {}),
})

const framesOf = (message: string, stack: string): string => {
  const at = stack.indexOf(message)
  return at < 0 ? "" : stack.slice(at + message.length).replace(/^\n/, "")
}

export const malformed = (message: string, plain = message): HookFault => ({
  cause: "malformed",
  class: "internal",
  message,
  plain,
})

/** Undefined for a store that fails and a suspension, which end the attempt. */
export const faultIn = ({ reasons }: Cause.Cause<Failure>): HookFault | undefined => {
  for (const reason of reasons) {
    if (Cause.isFailReason(reason)) {
      const { class: failure, detail, message } = toFailureRecord(reason.error)
      return {
        cause: isLate(reason.error) ? "timeout" : "failed",
        class: failure,
        message,
        ...(isLate(reason.error) ? { plain: message } : {}),
        ...(detail === undefined ? {} : { detail }),
      }
    }
    if (Cause.isDieReason(reason)) {
      const { defect } = reason
      const ends = defect instanceof StoreFailed || defect instanceof Suspended
      return ends ? undefined : threw(defect)
    }
  }
  const message = "it interrupted itself"
  return { cause: "interrupted", class: "internal", message, plain: message }
}

const lateFailures = new WeakSet<object>()

/** The failure of a hook that takes longer than it may. */
export const lateHook = (limit: string): Failure => {
  const failure = new StageFailed({ class: "timeout", message: `it took longer than ${limit}` })
  lateFailures.add(failure)
  return failure
}

const isLate = (failure: Failure): boolean => lateFailures.has(failure)

/** The failure as events and the call have it: it names the hook. */
export const failureOf = (
  fault: HookFault,
  { hook, point }: { readonly hook: string; readonly point: string },
): FailureRecord => {
  const { cause, detail, message, stack } = fault
  return {
    class: fault.class,
    message:
      cause === "blocked"
        ? `blocked by the hook "${hook}" at ${point}: ${message}`
        : `the hook "${hook}" failed at ${point}: ${message}`,
    detail: {
      hook,
      point,
      cause,
      ...(stack === undefined ? {} : { stack }),
      ...(detail === undefined ? {} : { of: detail }),
    },
  }
}

/** Whether a call failed because of a hook, so that neither another model nor another strategy can do better. */
export const isHookFailure = ({ detail }: FailureRecord): boolean =>
  typeof detail === "object" && detail !== null && (detail as JsonObject)["hook"] !== undefined

export const stageFailed = (failure: FailureRecord): StageFailed =>
  new StageFailed(toFailureRecord(failure))
