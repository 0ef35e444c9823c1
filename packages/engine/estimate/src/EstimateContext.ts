/** Values that all stages of an estimate share. */
import type { ExpressionScope } from "@planloom/expression"
import type { Pipeline } from "@planloom/core"
import type { TokenCounter } from "@planloom/prompt/tokens"
import type { Work } from "./Work.ts"

export interface EstimateContext {
  readonly pipeline: Pipeline
  /** The values known before the run. */
  readonly scope: ExpressionScope
  /** By `provider/model`; other models are estimated. */
  readonly counters: ReadonlyMap<string, TokenCounter>
  /** The work of one run of a workflow that stages run, by its path as written. */
  readonly nested: (path: string) => Work
}
