/** Formats the result of a run: usage, stages without a model, failure. */
import type { FailureRecord, Json, JsonObject } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import type { ExitName } from "../ExitCode.ts"
import { count, duration, money, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { modelCallsText } from "../progress/frame.ts"
import { adviceFor } from "./advice.ts"
import { waitsText } from "./waitText.ts"

export const exitOf = ({ status }: RunResult): ExitName => {
  switch (status) {
    case "succeeded":
      return "ok"
    case "clarification":
    case "suspended":
      return "open"
    case "cancelled":
    case "running":
      return "interrupted"
    case "failed":
      return "failed"
  }
}

/** Formats usage as one line: time (of an ended run), calls, tokens, cost. */
export const usageText = (result: RunResult): string => {
  const {
    cost,
    estimatedCalls = 0,
    inputTokens,
    modelCalls,
    outputTokens,
    toolCalls,
  } = result.usage
  const { finishedAt, startedAt } = result
  return [
    ...(finishedAt === undefined ? [] : [duration(finishedAt - startedAt)]),
    ...(modelCalls > 0
      ? [
          modelCallsText(modelCalls, estimatedCalls),
          `${count(inputTokens)} tokens in`,
          `${count(outputTokens)} out`,
        ]
      : ["no model call"]),
    ...(cost > 0 ? [money(cost)] : []),
    ...(toolCalls > 0 ? [plural(toolCalls, "tool call")] : []),
  ].join(" · ")
}

/** Describes stages that ran without a model or searched without embeddings, and skipped hooks; undefined without any. */
export const degradedText = (
  { degraded }: RunResult,
  style: Style,
  width: number,
): string | undefined => {
  if (degraded.length === 0) return undefined
  const kindOf = ({ hook, without }: Degraded[number]) => (hook === undefined ? without : "hook")
  const reasons = (kind: "embeddings" | "hook" | undefined, noun: string, what: string) =>
    reasonsText(
      degraded.filter((one) => kindOf(one) === kind),
      noun,
      what,
    )
  return [
    ...reasons(undefined, "stage", "ran without a model"),
    ...reasons("embeddings", "stage", "searched by words alone"),
    ...reasons("hook", "hook", "skipped after a failure"),
  ]
    .flatMap((text) => wrap(`degraded: ${text}`, width))
    .map((line) => style.warn(line))
    .join("\n")
}

type Degraded = RunResult["degraded"]

/** Formats `2 stages ran without a model (a, b: why)`; empty for none. */
const reasonsText = (degraded: Degraded, noun: string, what: string): ReadonlyArray<string> => {
  if (degraded.length === 0) return []
  const reasons = new Map<string, Array<string>>()
  for (const { path, reason } of degraded)
    reasons.set(reason, [...(reasons.get(reason) ?? []), path])
  const said = [...reasons].map(([reason, paths]) =>
    [paths.filter((path) => path !== "").join(", "), oneLine(reason)]
      .filter((text) => text !== "")
      .join(": "),
  )
  return [`${plural(degraded.length, noun)} ${what} (${said.join("; ")})`]
}

/** Formats a failure with class, stage, message and help, or the open questions; `needs` as in `waitsText`. */
export const failureText = (
  result: RunResult,
  style: Style,
  width: number,
  needs: ReadonlyArray<string> = [],
): string => {
  if (result.waits.length > 0) return waitsText(result, style, width, needs)
  const failure = result.failure ?? { class: "internal", message: "the run did not end" }
  if (failure.class === "clarification") return questionText(failure, style, width)
  const where = failure.stage === undefined ? "" : ` in ${failure.stage}`
  return [
    `${style.bold(style.bad(`the run failed${where}`))}: ${failure.class}${failure.model === undefined ? "" : ` (${failure.model})`}`,
    ...wrap(visible(failure.message), width - 2).map((line) => `  ${line}`),
    ...wrap(`help: ${adviceFor(failure)}`, width - 2).map((line) => `  ${style.dim(line)}`),
  ].join("\n")
}

const questionText = (failure: FailureRecord, style: Style, width: number): string => {
  const options = optionsIn(failure.detail)
  return [
    style.bold(style.warn("the run needs an answer before it can continue")),
    ...wrap(visible(failure.message), width - 2).map((line) => `  ${line}`),
    ...options.map((option) => `  - ${oneLine(option)}`),
    `  ${style.dim(`help: ${adviceFor(failure)}`)}`,
  ].join("\n")
}

const optionsIn = (detail: Json | undefined): ReadonlyArray<string> => {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return []
  const options = (detail as JsonObject)["options"]
  return Array.isArray(options)
    ? (options as ReadonlyArray<Json>).map((option) =>
        typeof option === "string" ? option : JSON.stringify(option),
      )
    : []
}
