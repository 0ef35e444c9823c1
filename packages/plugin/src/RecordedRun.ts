/** A run as a whole, as it leaves one store and enters another, and what may be asked of a recorded one. */
import type { Json } from "./Json.ts"
import type { RunStatus } from "./Journal.ts"
import type { RecordedStep } from "./RecordedStep.ts"
import type { RunEvent, Untimed } from "./Event.ts"
import type { Answer, Wait } from "./Wait.ts"

/** Somebody wants a run to end. */
export interface CancelRequest {
  /** `after` lets the calls under way end and be recorded; `now` interrupts them. */
  readonly mode: "after" | "now"
  /** One line; the run's last event says it. */
  readonly reason: string
}

/** Everything a store keeps of one run. Plain data. */
export interface RecordedRun {
  readonly run: string
  readonly workflow: string
  readonly status: RunStatus
  readonly inputs: Json
  readonly startedAt: number
  readonly finishedAt?: number
  readonly definition?: Json
  /** The session it is a turn of. */
  readonly session?: string
  readonly steps: ReadonlyArray<StoredStep>
  /** When each pause is over, by name, in epoch milliseconds. */
  readonly timers: { readonly [name: string]: number }
  readonly waits: ReadonlyArray<StoredWait>
  readonly events: ReadonlyArray<RunEvent>
}

/** A question of a run, and its answer when there is one. */
export interface StoredWait {
  readonly wait: Wait
  /** Epoch milliseconds. */
  readonly askedAt: number
  readonly answer?: Answer
}

export interface StoredStep {
  readonly name: string
  /** When it was recorded, in epoch milliseconds. */
  readonly at: number
  readonly outcome: RecordedStep
}

/** What a run gives up, so that it does it again. */
export interface TakeBack {
  /** Whether the record of this name goes: a step's, a timer's, an answer's. */
  readonly drops: (name: string) => boolean
  /** Says so in the run's own log. */
  readonly event: Untimed<Extract<RunEvent, { readonly type: "RunReset" | "RunMigrated" }>>
  /** What the run goes on with from now on; as before unless given. */
  readonly definition?: Json
}
