/** What a turn gave, as a person reads it. */
import type { JsonObject, RunEvent } from "@planloom/plugin"
import type { RunResult } from "@planloom/core"
import { failureText } from "../run/ending.ts"
import { showOutputs, type Show } from "../run/outputs.ts"
import { duration } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { cut, oneLine, wrap } from "../terminal/text.ts"

const nothing: ReadonlyMap<string, string> = new Map()

/** Outputs but those that were told before; empty when there is nothing to show. */
export const outputsText = (outputs: JsonObject, told: ReadonlySet<string>, show: Show): string =>
  showOutputs(
    Object.fromEntries(
      Object.entries(outputs).filter(([name, value]) => !told.has(name) && value !== ""),
    ),
    nothing,
    show,
  )

/** One line for an action; undefined for what is not one. */
export const actionText = (event: RunEvent, style: Style, width: number): string | undefined => {
  if (event.type !== "ToolCalled") return undefined
  const { failure, ms, tool } = event
  const text =
    failure === undefined ? `${tool}  ${duration(ms)}` : `${tool} failed: ${failure.message}`
  const line = cut(`· ${oneLine(text)}`, width)
  return failure === undefined ? style.dim(line) : style.warn(line)
}

/** That it works without a model, once for each reason; `told` are those that were, and grows. */
export const withoutModelText = (
  { degraded }: RunResult,
  told: Set<string>,
  style: Style,
  width: number,
): string | undefined => {
  const fresh = [...new Set(degraded.map(({ reason }) => oneLine(reason)))].filter(
    (reason) => !told.has(reason),
  )
  if (fresh.length === 0) return undefined
  for (const reason of fresh) told.add(reason)
  return wrap(`working without a model: ${fresh.join("; ")}`, width)
    .map(style.dim)
    .join("\n")
}

/** Why a turn gave nothing; undefined when it did. */
export const troubleText = (result: RunResult, style: Style, width: number): string | undefined => {
  switch (result.status) {
    case "failed":
      return result.failure?.class === "conflict"
        ? wrap(oneLine(result.failure.message), width).map(style.warn).join("\n")
        : failureText(result, style, width)
    case "cancelled":
      return style.dim("cancelled; nothing of it is kept")
    case "suspended":
    case "clarification":
      return style.dim("it waits for an answer, which may come another time")
    default:
      return undefined
  }
}
