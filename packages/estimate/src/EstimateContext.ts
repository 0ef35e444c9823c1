/** What all stages of an estimate share. */
import type { ExpressionScope } from "@planloom/expression"
import type { Pipeline } from "@planloom/core"
import type { TokenCounter } from "@planloom/prompt/tokens"
import type { Work } from "./Work.ts"

export interface EstimateContext {
  readonly pipeline: Pipeline
  /** What is known before the run. */
  readonly scope: ExpressionScope
  /** By `provider/model`; other models are estimated. */
  readonly counters: ReadonlyMap<string, TokenCounter>
  /** The work of one run of a workflow that stages run, by its path as written. */
  readonly nested: (path: string) => Work
}
