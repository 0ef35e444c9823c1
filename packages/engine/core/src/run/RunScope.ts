/** What expressions of a run may read. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

/** How a stage ended, as expressions see it. Made anew at each change, never changed. */
export type StageView =
  /** `error`: the failure after which its fallback gave the output. */
  | { readonly outcome: "success"; readonly output: Json; readonly error?: StageError }
  | { readonly outcome: "skipped" }
  | { readonly outcome: "failure"; readonly error: StageError }

export type StageError = { readonly class: string; readonly message: string }

/** What expressions may name: `inputs`, `user`, `stages`, `run`, and what blocks and items add. */
export interface RunScope {
  readonly inputs: JsonObject
  /** Filled as stages end. */
  readonly stages: { [id: string]: StageView }
  readonly [name: string]: Json | undefined
}
