/** The state of one stage occurrence for display. */
import type { FailureRecord, RunEvent } from "@planloom/plugin/effect"

export type StageState =
  | "running"
  | "waiting"
  | "done"
  | "skipped"
  | "continued"
  | "failed"
  | "stopped"

export interface StageView {
  readonly path: string
  readonly stage: string
  uses: string
  state: StageState
  /** Epoch milliseconds. */
  readonly startedAt: number
  endedAt: number | undefined
  attempts: number
  strategy: "model" | "mechanical" | undefined
  /** Why the stage ran without a model. */
  degraded: FailureRecord | undefined
  /** The stage's latest progress message and its fraction, 0…1. */
  message: string | undefined
  fraction: number | undefined
  /** The stage's summary of its result. */
  summary: string | undefined
  /** Lines for people that stay below the stage's own. */
  readonly notes: Set<string>
  failure: FailureRecord | undefined
  /** The failure after which the stage ended by its fallback. */
  fellBack: FailureRecord | undefined
  /** Start of the next attempt, in epoch milliseconds. */
  retryAt: number | undefined
  /** Counts from 1; undefined outside of `repeat`. */
  iteration: number | undefined
  /** The failed assertion of this stage, with the stage that it reruns. */
  assertion: Extract<RunEvent, { type: "AssertionFailed" }> | undefined
  skipped: string | undefined
  tokens: number
  modelCalls: number
  toolCalls: number
  readonly children: Array<StageView>
}

/** Creates the view of a stage that has just started. */
export const opened = (
  event: { readonly path: string; readonly stage: string; readonly at: number },
  uses: string,
): StageView => ({
  path: event.path,
  stage: event.stage,
  uses,
  state: "running",
  startedAt: event.at,
  endedAt: undefined,
  attempts: 1,
  strategy: undefined,
  degraded: undefined,
  message: undefined,
  fraction: undefined,
  summary: undefined,
  notes: new Set(),
  failure: undefined,
  fellBack: undefined,
  retryAt: undefined,
  iteration: undefined,
  assertion: undefined,
  skipped: undefined,
  tokens: 0,
  modelCalls: 0,
  toolCalls: 0,
  children: [],
})
