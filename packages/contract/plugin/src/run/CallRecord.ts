/** The record of a tool call, as hooks, stages and models see it. */
import type { FailureClass } from "./Failure.ts"
import type { Json, JsonObject } from "../value/Json.ts"
import type { Repair } from "../component/Repair.ts"

/** A thing that the result of a tool call is about. */
export interface Entity extends JsonObject {
  /** By the tool's `entities`: `recipient`. */
  readonly type: string
  readonly id: string
  /** Its id, if it has no other name. */
  readonly name: string
}

/** A tool call that a stage made, or that was refused before it reached the tool. */
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
  /** By the tool's `entities`. */
  readonly entities?: ReadonlyArray<Entity>
  /**
   * The tool with its params, normalized, filled and repaired, and its inputs, by digest: equal calls of a run have one
   * identity. Absent for a call that did not reach its tool.
   */
  readonly identity?: string
  /** It was not made: an equal call of the run has answered it. */
  readonly from?: "made"
  /** Repairs of the params that the stage gave. */
  readonly repairs?: ReadonlyArray<Repair>
  /** By the tool's `notes`. */
  readonly notes?: ReadonlyArray<string>
  /** Message of the failure. */
  readonly error?: string
  /** Class of the failure. */
  readonly class?: FailureClass
  /** Set if the call was refused before the tool: unknown, with params that do not fit, or not allowed. Counts in no budget. */
  readonly refused?: true
}
