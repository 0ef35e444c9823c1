/** Formats the result of a turn for a terminal. */
import { failureClasses, type Json, type JsonObject, type RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { failureText, kindOf } from "../run/resultText.ts"
import { showOutputs, type Show } from "../run/outputs.ts"
import { duration } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { cut, oneLine, wrap } from "../terminal/text.ts"

const nothing: ReadonlyMap<string, string> = new Map()

/** A name, a number or a yes or no: beside a reply it is data for programs. */
const isMark = (value: Json): boolean =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "string" && /^[\w.:-]*$/.test(value))

/**
 * Formats the outputs that were not shown before; empty if there are none. Beside an output that is streamed, `replies`,
 * marks such as the agent in charge are not shown.
 */
export const outputsText = (
  outputs: JsonObject,
  shown: ReadonlySet<string>,
  replies: ReadonlySet<string>,
  show: Show,
): string =>
  showOutputs(
    Object.fromEntries(
      Object.entries(outputs).filter(
        ([name, value]) =>
          !shown.has(name) &&
          value !== "" &&
          (replies.size === 0 || replies.has(name) || !isMark(value)),
      ),
    ),
    nothing,
    show,
  )

/** Formats what the user should know while a turn runs, such as the agent in charge or how a tool read a file; empty for other events. */
export const noteLines = (event: RunEvent, style: Style, width: number): ReadonlyArray<string> => {
  const notes =
    event.type === "Noted" && event.audience === "user" && event.text !== undefined
      ? [event.text]
      : event.type === "ToolCalled"
        ? (event.notes ?? [])
        : []
  return notes.flatMap((note) => wrap(`› ${oneLine(note)}`, width)).map(style.dim)
}

/** Formats a tool call or a missing turn as one line; undefined for other events. */
export const actionText = (event: RunEvent, style: Style, width: number): string | undefined => {
  if (event.type === "SessionOpened" && event.unreviewed !== undefined) {
    const text = `the turn before is not part of this session: its reviews did not end (run ${event.unreviewed})`
    return style.warn(cut(`› ${oneLine(text)}`, width))
  }
  if (event.type !== "ToolCalled") return undefined
  const { failure, from, ms, tool } = event
  const text =
    failure === undefined
      ? `${tool}  ${from === undefined ? duration(ms) : "answered by an earlier call"}`
      : `${tool} failed: ${failureClasses[failure.class]}`
  const line = cut(`· ${oneLine(text)}`, width)
  return failure === undefined ? style.dim(line) : style.warn(line)
}

/** Reports what the turn did without or survived, each once in a chat; adds what is printed to `printed`. */
export const degradedTurnText = (
  { degraded }: RunResult,
  printed: Set<string>,
  style: Style,
  width: number,
): string | undefined => {
  const unprinted = (texts: ReadonlyArray<string>) => {
    const fresh = [...new Set(texts)].filter((text) => !printed.has(text))
    for (const text of fresh) printed.add(text)
    return fresh
  }
  const reasonsOf = (...kinds: ReadonlyArray<ReturnType<typeof kindOf>>) =>
    unprinted(
      degraded.filter((one) => kinds.includes(kindOf(one))).map(({ reason }) => oneLine(reason)),
    )
  const reasons = reasonsOf("model", "embeddings", "rerank")
  const reviewers = unprinted(degraded.flatMap(({ reviewer }) => reviewer ?? []))
  const cuts = reasonsOf("cut")
  const failures = reasonsOf("continue", "fallback", "last_round")
  const lines = [
    ...(reasons.length === 0 ? [] : [`working without a model: ${reasons.join("; ")}`]),
    ...(reviewers.length === 0 ? [] : [`without a review by ${reviewers.join(", ")}`]),
    ...cuts,
    ...(failures.length === 0 ? [] : [`continued after a failure: ${failures.join("; ")}`]),
  ]
  return lines.length === 0
    ? undefined
    : lines
        .flatMap((line) => wrap(line, width))
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
