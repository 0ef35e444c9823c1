/** Parts of an output while it is being written: text that a host receives before the run ends. */
import type { Json } from "../value/Json.ts"

/**
 * A part of a streamed output, free of secrets and never recorded. `message` identifies the reply that it belongs to.
 * Delivered text stays delivered unless a `reset` voids it; `settled` comes when the text of an output
 * is final, and again after each correction of it.
 */
export type Part = { readonly output: string; readonly message: string } & (
  | { readonly type: "text"; readonly text: string }
  /** The value so far, of an output that is not text. */
  | { readonly type: "value"; readonly value: Json }
  /** The text since the last `settled`, or the settled text if a correction follows, is void: a retry, another model, a rerun, a verdict or a later turn replaces it. */
  | {
      readonly type: "reset"
      readonly cause: "retry" | "fallback" | "rerun" | "verdict" | "tool_call"
    }
  | { readonly type: "settled"; readonly revision: number }
)
