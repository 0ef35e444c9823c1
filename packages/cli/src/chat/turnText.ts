/** Formats the result of a turn for a terminal. */
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { failureText } from "../run/resultText.ts"
import { showOutputs, type Show } from "../run/outputs.ts"
import { duration } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { cut, oneLine, wrap } from "../terminal/text.ts"

const nothing: ReadonlyMap<string, string> = new Map()

/** Formats the outputs that were not shown before; empty if there are none. */
export const outputsText = (outputs: JsonObject, shown: ReadonlySet<string>, show: Show): string =>
  showOutputs(
    Object.fromEntries(
      Object.entries(outputs).filter(([name, value]) => !shown.has(name) && value !== ""),
    ),
    nothing,
    show,
  )

/** Formats a tool call, a missing turn, or a note for the user such as the agent in charge, as one line; undefined for other events. */
export const actionText = (event: RunEvent, style: Style, width: number): string | undefined => {
  if (event.type === "Noted" && event.audience === "user" && event.text !== undefined) {
    return style.dim(cut(`› ${oneLine(event.text)}`, width))
  }
  if (event.type === "SessionOpened" && event.unreviewed !== undefined) {
    const text = `the turn before is not part of this session: its reviews did not end (run ${event.unreviewed})`
    return style.warn(cut(`› ${oneLine(text)}`, width))
  }
  if (event.type !== "ToolCalled") return undefined
  const { failure, ms, tool } = event
  const text =
    failure === undefined ? `${tool}  ${duration(ms)}` : `${tool} failed: ${failure.message}`
  const line = cut(`· ${oneLine(text)}`, width)
  return failure === undefined ? style.dim(line) : style.warn(line)
}

/** Reports that stages ran without a model, once per reason; adds the printed reasons to `printed`. */
export const withoutModelText = (
  { degraded }: RunResult,
  printed: Set<string>,
  style: Style,
  width: number,
): string | undefined => {
  const fresh = [
    ...new Set(degraded.flatMap(({ hook, reason }) => (hook === undefined ? oneLine(reason) : []))),
  ].filter((reason) => !printed.has(reason))
  if (fresh.length === 0) return undefined
  for (const reason of fresh) printed.add(reason)
  return wrap(`working without a model: ${fresh.join("; ")}`, width)
    .map(style.dim)
    .join("\n")
}

/** Explains why a turn did not succeed; undefined if it did. */
export const unfinishedText = (
  result: RunResult,
  style: Style,
  width: number,
): string | undefined => {
  switch (result.status) {
    case "failed":
      return result.failure?.class === "conflict"
        ? wrap(oneLine(result.failure.message), width).map(style.warn).join("\n")
        : failureText(result, style, width)
    case "cancelled":
      return style.dim("cancelled; the session does not record this turn")
    case "suspended":
    case "clarification":
      return style.dim("the run waits for an answer, which you can give later")
    default:
      return undefined
  }
}
