/** Formats the end of a run's execution as a line of the server's log. */
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Ended } from "@planloom/record/worker"
import { timeText } from "../runs/listRuns.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine } from "../terminal/text.ts"

/**
 * Without `outcomes`, only what keeps a run from being resumed. Returns undefined if the worker released the run, or
 * another process claimed it.
 */
export const endedText = (
  { exit, notBefore, run, workflow }: Ended<{ readonly message: string }>,
  style: Style,
  outcomes: boolean,
): string | undefined => {
  const line = (text: string) =>
    `${style.dim(timeText(Date.now()))}  ${oneLine(run)}  ${oneLine(workflow)}  ${text}`
  if (Exit.isSuccess(exit)) {
    if (!outcomes) return undefined
    const { status, waits } = exit.value
    if (status === "succeeded") return line(style.good("succeeded"))
    return line(style.warn(`waits for an answer: ${waits.map(({ name }) => name).join(", ")}`))
  }
  if (Exit.hasInterrupts(exit)) return undefined
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (error === undefined)
    return line(style.bad(`cannot be resumed: ${oneLine(String(exit.cause))}`))
  const message = oneLine(error.message)
  if (notBefore === Number.POSITIVE_INFINITY) {
    const lacks = "subject" in error && error.subject === "user" ? "--user" : "--input"
    return line(style.warn(`${message}: planloom runs resume ${run} ${lacks} …`))
  }
  if (notBefore !== undefined) {
    return line(style.bad(`cannot be resumed, next attempt at ${timeText(notBefore)}: ${message}`))
  }
  const ended = "reason" in error && typeof error.reason === "object"
  if (!outcomes || (ended && error.reason.class === "store")) return undefined
  return line(style.bad(`failed: ${message}`))
}
