/** The result of a replay, beside the recorded one. */
import type { RunResult } from "@planloom/core"

export interface Replayed {
  readonly result: RunResult
  readonly recorded: RunResult
  /** Both have the same status, outputs and failure. */
  readonly same: boolean
  /** The first step that the workflow requested and the record lacks. */
  readonly missing?: string
  /** The first recorded step that the workflow did not request. */
  readonly unused?: string
}
