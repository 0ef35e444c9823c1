/** One call of a tool on files. */
import type { ModelFailed, StageFailed, ToolInvocation } from "@planloom/plugin/effect"
import type { Effect } from "effect/Effect"

/** What one call may use. */
export interface FileCall extends Pick<ToolInvocation, "index"> {
  readonly signal: AbortSignal
  /** Runs work of the index as a part of the call, which counts what an embedder uses. */
  readonly run: <A>(work: Effect<A, ModelFailed | StageFailed>) => Promise<A>
}
