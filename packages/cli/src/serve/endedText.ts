/** One line of a server's log: how the work on a run ended. */
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Ended } from "@planloom/record/worker"
import { timeText } from "../runs/listRuns.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine } from "../terminal/text.ts"

/** Undefined when there is nothing to tell: the run was left, or somebody else has taken it up. */
export const endedText = (
  { exit, notBefore, run, workflow }: Ended<{ readonly message: string }>,
  style: Style,
): string | undefined => {
  const line = (said: string) =>
    `${style.dim(timeText(Date.now()))}  ${oneLine(run)}  ${oneLine(workflow)}  ${said}`
  if (Exit.isSuccess(exit)) {
    const { status, waits } = exit.value
    if (status === "succeeded") return line(style.good("succeeded"))
    return line(style.warn(`waits for an answer: ${waits.map(({ name }) => name).join(", ")}`))
  }
  if (Exit.hasInterrupts(exit)) return undefined
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (error === undefined) return line(style.bad(`cannot go on: ${oneLine(String(exit.cause))}`))
  const said = oneLine(error.message)
  if (notBefore === Number.POSITIVE_INFINITY) {
    return line(style.warn(`${said}: planloom runs resume ${run} --input …`))
  }
  if (notBefore !== undefined) {
    return line(style.bad(`cannot go on, tried again at ${timeText(notBefore)}: ${said}`))
  }
  const ended = "reason" in error && typeof error.reason === "object"
  return ended && error.reason.class === "store" ? undefined : line(style.bad(`failed: ${said}`))
}
