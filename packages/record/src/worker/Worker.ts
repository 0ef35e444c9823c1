/** A worker as its host sees it: options, state, and how each run ended. */
import type { Effect } from "effect/Effect"
import type { Exit } from "effect/Exit"
import type { Scope } from "effect/Scope"
import type { CancelRequest, Json, JsonObject, RunRecord, StoreFailed } from "@planloom/plugin"
import type { InputsRejected, RunFailed, RunResult, RunOptions } from "@planloom/core"
import type { Ready } from "./claim.ts"

/** How the work on one run ended here. */
export interface Ended<E> {
  readonly run: string
  readonly workflow: string
  readonly exit: Exit<RunResult, RunFailed | InputsRejected | StoreFailed | E>
  /** It is taken up again no sooner; epoch milliseconds, `Infinity` for not before something changes. */
  readonly notBefore?: number
}

export interface WorkerOptions<E> {
  /** What a run began with → its workflow. One that is in use is loaded once. */
  readonly load: (definition: Json | undefined) => Effect<Ready, E, Scope>
  /** Runs at once; 4 unless given. */
  readonly concurrency?: number
  /** A run that was taken up so often in a row with no step recorded since is ended as failed; 5 unless given. */
  readonly attempts?: number
  /** Milliseconds in which a dead process and an expired question are noticed; 1000 unless given. */
  readonly every?: number
  readonly options?: (record: RunRecord) => RunOptions
  /** Must not throw. */
  readonly onEnd?: (ended: Ended<E>) => void
  /** The store cannot be looked into; it is tried again. */
  readonly onTrouble?: (failure: StoreFailed) => void
}

export interface Worker {
  /** How many runs it is at work on. */
  readonly atWork: number
  /** It begins nothing any more. */
  readonly stopping: boolean
  /** Looks now: something has been written. */
  readonly wake: () => void
  /** What the record of a run does not hold; kept in memory until the run has ended. */
  readonly give: (run: string, inputs: JsonObject) => void
  /** Ends a run that nobody is at work on. */
  readonly cancel: (record: RunRecord, request: CancelRequest) => Effect<RunRecord, StoreFailed>
}
