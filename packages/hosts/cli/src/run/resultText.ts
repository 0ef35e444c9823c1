/** Formats the result of a run: usage, stages without a model, failure. */
import type { FailureRecord, Json, JsonObject } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import type { ExitName } from "../ExitCode.ts"
import { count, duration, money, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { modelCallsText } from "../progress/frame.ts"
import { adviceFor } from "./advice.ts"
import { isLine, linesIn } from "./outputs.ts"
import { waitsText } from "./answer/waitText.ts"

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

/** Describes what the run did without or survived; undefined if nothing was degraded. */
export const degradedText = (
  { degraded }: RunResult,
  style: Style,
  width: number,
): string | undefined => {
  if (degraded.length === 0) return undefined
  const reasons = (kind: DegradationKind, noun: string, what: string) =>
    reasonsText(
      degraded.filter((one) => kindOf(one) === kind),
      noun,
      what,
    )
  return [
    ...reasons("model", "stage", "ran without a model"),
    ...reasons("embeddings", "stage", "searched by words alone"),
    ...reasons("rerank", "stage", "searched without the reranker"),
    ...reasons("cut", "reply", "used unfinished"),
    ...reasons("hook", "hook", "skipped after a failure"),
    ...reasons("reviewer", "review", "failed"),
    ...reasons("continue", "stage", "failed, and the run continued"),
    ...reasons("fallback", "stage", "ended by the fallback"),
    ...reasons("last_round", "loop", "ended with the last whole round"),
  ]
    .flatMap((text) => wrap(`degraded: ${text}`, width))
    .map((line) => style.warn(line))
    .join("\n")
}

type Degraded = RunResult["degraded"]
type DegradationKind =
  | "model"
  | "embeddings"
  | "rerank"
  | "cut"
  | "hook"
  | "reviewer"
  | "continue"
  | "fallback"
  | "last_round"

export const kindOf = ({
  after,
  cut,
  hook,
  reviewer,
  without,
}: Degraded[number]): DegradationKind => {
  if (after !== undefined) return after
  if (cut !== undefined) return "cut"
  if (hook !== undefined) return "hook"
  return reviewer === undefined ? (without ?? "model") : "reviewer"
}

/** Paths that a line names; a list may have thousands of items. */
const MAX_PATHS = 5

/** Formats `2 stages ran without a model (a, b: why)`; empty for none. */
const reasonsText = (degraded: Degraded, noun: string, what: string): ReadonlyArray<string> => {
  if (degraded.length === 0) return []
  const reasons = new Map<string, Array<string>>()
  for (const { path, reason } of degraded) {
    const paths = reasons.get(reason) ?? []
    if (path !== "") paths.push(path)
    reasons.set(reason, paths)
  }
  const said = [...reasons].map(([reason, paths]) =>
    [pathsText(paths), oneLine(reason)].filter((text) => text !== "").join(": "),
  )
  return [`${plural(degraded.length, noun)} ${what} (${said.join("; ")})`]
}

const pathsText = (paths: ReadonlyArray<string>): string =>
  [
    ...paths.slice(0, MAX_PATHS),
    ...(paths.length > MAX_PATHS ? [`${paths.length - MAX_PATHS} more`] : []),
  ].join(", ")

/** Notes of a result that are printed; the rest is in its JSON. */
const MAX_NOTES = 10

/** Formats notes of tools and reviews, one a line, without those that a line of the outputs holds; undefined without any. */
export const notesText = (
  { notes, outputs }: RunResult,
  style: Style,
  width: number,
): string | undefined => {
  const lines = linesIn(Object.values(outputs))
  const texts = notes.flatMap(({ path, reviewer, text, tool }) => {
    const from = tool ?? reviewer
    return from === undefined || isLine(text, lines) ? [] : [`note: ${path} · ${from}: ${text}`]
  })
  if (texts.length === 0) return undefined
  const more = texts.length - MAX_NOTES
  return [
    ...texts.slice(0, MAX_NOTES),
    ...(more > 0 ? [`${plural(more, "more note")}: --json has all of them`] : []),
  ]
    .flatMap((text) => wrap(oneLine(text), width))
    .map(style.dim)
    .join("\n")
}

/** Whether stages that can use a model ran without one, and the run called none. */
export const calledNoModel = ({ stages, usage }: RunResult): boolean =>
  usage.modelCalls === 0 && Object.values(stages).some(({ strategy }) => strategy === "mechanical")

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
