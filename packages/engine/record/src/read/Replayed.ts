/** The result of a replay, beside the recorded one. */
import type { RunResult } from "@planloom/core"

export interface Replayed {
  readonly result: RunResult
  readonly recorded: RunResult
  /** Both have the same inputs, status, outputs and failure. */
  readonly same: boolean
  /** Names of inputs that differ from the record. */
  readonly differentInputs: ReadonlyArray<string>
  /** The first step that the workflow requested and the record lacks. */
  readonly missing?: string
  /** The first recorded step that the workflow did not request. */
  readonly unused?: string
}
