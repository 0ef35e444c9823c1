/** The record of a tool call, as hooks, stages and models see it. */
import type { Json, JsonObject } from "./Json.ts"

/** A tool call that was made. */
export interface CallRecord {
  readonly tool: string
  readonly params: JsonObject
  /** Unique within its stage. */
  readonly key: string
  /** Path of the stage occurrence. */
  readonly path: string
  readonly ok: boolean
  /** One line: the tool's `summarize`, or a bounded form of the result. */
  readonly summary: string
  readonly result?: Json
  /** Message of the failure. */
  readonly error?: string
}
