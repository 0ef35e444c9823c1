/** An edit with the run after it. */
import type { RunResult } from "@planloom/core"
import type { StageComparison } from "./compareRuns.ts"

export interface Edit {
  readonly workflow: string
  /** Counts from 1. */
  readonly number: number
  /** Paths of the saved files; empty for the first run. */
  readonly saved: ReadonlyArray<string>
  readonly result: RunResult
  readonly stages: ReadonlyArray<StageComparison>
  /** Milliseconds of loading and of the run. */
  readonly ms: { readonly load: number; readonly run: number }
}
