/** Prints what a run says beside its outputs, to standard error: notes for the user, and tool sources that list no tools. */
import type { RunEvent } from "@planloom/plugin/effect"
import { say, stderr, textWidth } from "../terminal/Screen.ts"
import { oneLine, wrap } from "../terminal/text.ts"

/** Of a run whose progress is not shown. */
export const printUserNote = (event: RunEvent): void => {
  if (event.type === "ToolListFailed") return printListFailure(event)
  if (event.type !== "Noted" || event.audience !== "user" || event.text === undefined) return
  for (const line of linesOf(event.text)) say(stderr.style.dim(line))
}

export const printListFailure = ({
  reason,
  source,
}: Extract<RunEvent, { readonly type: "ToolListFailed" }>): void => {
  for (const line of linesOf(`the tool source "${source}" ${reason}`)) say(stderr.style.warn(line))
}

const linesOf = (text: string): ReadonlyArray<string> => wrap(oneLine(text), textWidth(stderr))
