/** A complete recorded run, as exported and imported, and requests to change one. */
import type { Json } from "../value/Json.ts"
import type { RecordedStep } from "./RecordedStep.ts"
import type { RunEvent, Untimed } from "./Event.ts"
import type { Answer, Wait } from "./Wait.ts"

/** Statuses of a run. */
export const runStatuses = [
  "running",
  "suspended",
  "clarification",
  "succeeded",
  "failed",
  "cancelled",
] as const

/** `clarification`: the run waits only for answers of its user, or failed without one. */
export type RunStatus = (typeof runStatuses)[number]

/** A request to cancel a run. */
export interface CancelRequest {
  /** `after` finishes and records the calls in progress; `now` interrupts them. */
  readonly mode: "after" | "now"
  /** One line, included in the run's last event. */
  readonly reason: string
}

/**
 * Salted digests of the personal inputs of a run, by name. Null: it was erased, and no value is accepted as the one that
 * the run was started with.
 */
export interface PersonalDigests {
  readonly [input: string]: string | null
}

/** All data a store keeps of one run. */
export interface RecordedRun {
  readonly run: string
  readonly workflow: string
  readonly status: RunStatus
  readonly inputs: Json
  readonly startedAt: number
  readonly finishedAt?: number
  readonly definition?: Json
  /** The session that the run is a turn of. */
  readonly session?: string
  /** Digest of the id of the user that the run is for. */
  readonly userDigest?: string
  /** Of a run with personal inputs. */
  readonly personalDigests?: PersonalDigests
  readonly steps: ReadonlyArray<StoredStep>
  /** End of each pause by name, in epoch milliseconds. */
  readonly timers: { readonly [name: string]: number }
  readonly waits: ReadonlyArray<StoredWait>
  readonly events: ReadonlyArray<RunEvent>
}

/** A question of a run, with its answer if present. */
export interface StoredWait {
  readonly wait: Wait
  /** Epoch milliseconds. */
  readonly askedAt: number
  readonly answer?: Answer
}

export interface StoredStep {
  readonly name: string
  /** Time of recording, in epoch milliseconds. */
  readonly at: number
  readonly outcome: RecordedStep
}

/** The part of a run's record to delete, so that it is executed again. */
export interface ResetChange {
  /** Whether to delete the record of this name: a step, a timer or an answer. */
  readonly drops: (name: string) => boolean
  /** Event for the run's log. */
  readonly event: Untimed<Extract<RunEvent, { readonly type: "RunReset" | "RunMigrated" }>>
  /** New definition of the run; unchanged unless given. */
  readonly definition?: Json
}
