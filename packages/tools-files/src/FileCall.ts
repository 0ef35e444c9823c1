/** One call of a tool on files. */
import type { ToolInvocation } from "@planloom/plugin"

/** What one call may use. */
export interface FileCall extends Pick<ToolInvocation, "index"> {
  readonly signal: AbortSignal
}
