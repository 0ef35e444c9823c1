/** Prompts port: texts of prompts that a host keeps outside of workflow files, to change them without a restart. */
import type { Effect } from "effect/Effect"
import type { StoreFailed } from "./StoreFailed.ts"

export interface PromptText {
  /** Names the text in events and records. */
  readonly version: string
  /** Markdown with `${{ }}`, as in a prompt file. */
  readonly text: string
}

/** Gives the texts in force. A run asks once, when it starts, and keeps what it got when it is resumed. */
export interface Prompts {
  /**
   * By name of a prompt of the workflow; prompts that are absent keep the text of their file. Undefined for a workflow
   * that never had a text: then nothing is recorded.
   */
  readonly current: (
    workflow: string,
  ) => Effect<{ readonly [prompt: string]: PromptText } | undefined, StoreFailed>
}
