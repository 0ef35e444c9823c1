/** One stage occurrence as it is drawn, and what is known of it so far. */
import type { FailureRecord, RunEvent } from "@planloom/plugin"

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
  /** Why the mechanical strategy stands in. */
  degraded: FailureRecord | undefined
  /** What it says it is doing, and how far it is: 0…1. */
  message: string | undefined
  fraction: number | undefined
  /** What it found, in its own words. */
  summary: string | undefined
  failure: FailureRecord | undefined
  /** When the next attempt begins, in epoch milliseconds. */
  retryAt: number | undefined
  /** Counts from 1; undefined outside of `repeat`. */
  iteration: number | undefined
  /** The assertion of this stage that did not hold, and where the run went back to. */
  assertion: Extract<RunEvent, { type: "AssertionFailed" }> | undefined
  skipped: string | undefined
  tokens: number
  modelCalls: number
  toolCalls: number
  readonly children: Array<StageView>
}

/** As it is when it begins. */
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
  failure: undefined,
  retryAt: undefined,
  iteration: undefined,
  assertion: undefined,
  skipped: undefined,
  tokens: 0,
  modelCalls: 0,
  toolCalls: 0,
  children: [],
})
