/** The result of a run, and the failure of a run without outputs. */
import * as Data from "effect/Data"
import type { FailureRecord, Json, JsonObject, RunStatus, Wait } from "@planloom/plugin/effect"

/** One stage occurrence, by path. */
export interface StageResult {
  readonly stage: string
  readonly outcome: "running" | "waiting" | "success" | "failure" | "skipped" | "cancelled"
  readonly attempts: number
  readonly output?: Json
  readonly failure?: FailureRecord
  readonly strategy?: "model" | "mechanical"
  /** Milliseconds from start to end. */
  readonly ms?: number
}

export interface RunUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  /** US dollars, of the calls whose price is known. */
  readonly cost: number
  /** Calls that reached a service. */
  readonly modelCalls: number
  readonly toolCalls: number
  /** Of the model calls, those whose tokens are counted or set as the most there can be; absent when there are none. */
  readonly estimatedCalls?: number
}

/** Number of JSON replies by the step that made them usable. */
export interface ReplyCounts {
  /** Valid as received. */
  readonly direct: number
  /** Repaired by the salvage parser. */
  readonly salvaged: number
  /** Corrected by the model in a second call. */
  readonly repaired: number
  readonly failed: number
}

/** A stage that worked without its model, unless a member says otherwise. */
export interface Degradation {
  readonly path: string
  readonly reason: string
  /** The search went by words alone (`embeddings`), or kept the order of its own ranking (`rerank`). */
  readonly without?: "embeddings" | "rerank"
  /** The hook that was skipped. */
  readonly hook?: string
  /** The reviewer that failed and did not block. */
  readonly reviewer?: string
  /** The text of the model that did not end by itself: it reached its maximum length, or its service left it unfinished. */
  readonly cut?: true
  /** The continuation of the run after the stage, the item or the round of a loop had failed. */
  readonly after?: "continue" | "fallback" | "last_round"
}

/** A line for people about a stage. */
export interface RunNote {
  readonly path: string
  readonly text: string
  /** The tool whose result the note is about. */
  readonly tool?: string
  /** The reviewer because of which the user got another text. */
  readonly reviewer?: string
}

export interface RunResult {
  readonly run: string
  readonly workflow: string
  readonly status: RunStatus
  readonly outputs: JsonObject
  readonly failure?: FailureRecord
  /** Open questions, in the order they were asked; empty once the run has ended. */
  readonly waits: ReadonlyArray<Wait>
  /** What the run did without, or survived, and why; empty for a run in which nothing failed. */
  readonly degraded: ReadonlyArray<Degradation>
  /** What a reader of the outputs should know beside them, each once and in the order of the run. */
  readonly notes: ReadonlyArray<RunNote>
  readonly stages: { readonly [path: string]: StageResult }
  readonly usage: RunUsage
  /** Absent when no model was asked for JSON. */
  readonly replies?: ReplyCounts
  readonly startedAt: number
  readonly finishedAt?: number
}

/** The run ended without its outputs. `result` is the whole result, `reason` the failure. */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly message: string
  readonly reason: FailureRecord
  readonly result: RunResult
}> {}
