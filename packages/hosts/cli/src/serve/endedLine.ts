/** The end of a run's execution as one line of JSON, for programs that read the server's log. */
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Ended } from "@planloom/record/worker"

/** Undefined if the worker released the run, or another process claimed it. */
export const endedLine = (
  { exit, notBefore, run, workflow }: Ended<{ readonly message: string }>,
  at: number,
): string | undefined => {
  const line = (level: "error" | "info" | "warn", outcome: string, more: object = {}) =>
    JSON.stringify({ at: new Date(at).toISOString(), level, run, workflow, outcome, ...more })
  if (Exit.isSuccess(exit)) {
    const { status, waits } = exit.value
    return status === "succeeded"
      ? line("info", status)
      : line("info", status, { waits: waits.map(({ name }) => name) })
  }
  if (Exit.hasInterrupts(exit)) return undefined
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (error === undefined) return line("error", "not_resumed", { message: String(exit.cause) })
  const { message } = error
  if (notBefore === Number.POSITIVE_INFINITY) return line("warn", "needs_inputs", { message })
  if (notBefore !== undefined) {
    const next = new Date(notBefore).toISOString()
    return line("error", "not_resumed", { message, next_attempt: next })
  }
  const reason = "reason" in error && typeof error.reason === "object" ? error.reason : undefined
  const kind = (reason as { readonly class?: unknown } | null | undefined)?.class
  if (kind === "store") return undefined
  return line("error", "failed", { ...(typeof kind === "string" && { class: kind }), message })
}
