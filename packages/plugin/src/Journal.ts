/** The one port for everything that is not a pure function of recorded values, and where it is kept. */
import type { Effect } from "effect/Effect"
import type { Failure } from "./Failure.ts"
import type { RunEvent } from "./Event.ts"
import type { Json, JsonSchema } from "./Json.ts"

/**
 * What one run writes and reads. Names are paths the engine makes, unique within the run
 * (`work[2]/results/tool:aggregate#1/attempt:1`), so parallel work needs no fixed order.
 */
export interface Journal {
  /**
   * The recorded outcome when there is one, success or failure; otherwise runs the effect once and
   * records its outcome. Nothing may interrupt it between the end of the effect and its record.
   */
  readonly step: <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect<A, E, R>,
  ) => Effect<A, E, R>
  /** Waits until an epoch time in milliseconds; a time recorded earlier stays. */
  readonly sleep: (name: string, until: number) => Effect<void>
  /** Waits for a value somebody else sends under this name. */
  readonly signal: (name: string, schema: JsonSchema) => Effect<Json>
  /** Appends to the run's event log. Must not fail the run's work and must keep the order of calls. */
  readonly event: (event: RunEvent) => void
}

/** A run as the store lists it. */
export interface RunRecord {
  readonly run: string
  readonly workflow: string
  readonly status: "running" | "suspended" | "succeeded" | "failed" | "cancelled"
  readonly startedAt: number
  readonly finishedAt?: number
}

/** Keeps runs. `open` gives the journal of one run, new or begun earlier. */
export interface RunStore {
  readonly id: string
  readonly summary: string
  readonly open: (run: {
    readonly run: string
    readonly workflow: string
    readonly inputs: Json
  }) => Effect<Journal>
  readonly events: (run: string, from?: number) => Effect<ReadonlyArray<RunEvent>>
  readonly list: Effect<ReadonlyArray<RunRecord>>
}
