/** A worker as its host sees it: options, state, and how each run ended. */
import type { Effect } from "effect/Effect"
import type { Exit } from "effect/Exit"
import type { Scope } from "effect/Scope"
import type {
  CancelRequest,
  Json,
  JsonObject,
  RunRecord,
  StoreFailed,
} from "@planloom/plugin/effect"
import type { InputsRejected, RunFailed, RunResult, RunOptions } from "@planloom/core"
import type { Ready } from "./claim.ts"
import type { EnqueuedRun } from "./enqueue.ts"
import type { GivenValues } from "./Unrecorded.ts"

/** How a worker's attempt at one run ended. */
export interface Ended<E> {
  readonly run: string
  readonly workflow: string
  readonly exit: Exit<RunResult, RunFailed | InputsRejected | StoreFailed | E>
  /** The run is not claimed again before this time: epoch milliseconds, `Infinity` until something changes. */
  readonly notBefore?: number
}

export interface WorkerOptions<E> {
  /** Loads the workflow of a run's definition. A workflow in use is loaded once. */
  readonly load: (definition: Json | undefined) => Effect<Ready, E, Scope>
  /** Whether the worker resumes this run of its store; all unless given. */
  readonly accepts?: (record: RunRecord) => boolean
  /** Maximum number of runs at once; 4 unless given. */
  readonly concurrency?: number
  /** A run fails after this many owners in a row that fell silent without a new step; 5 unless given. */
  readonly attempts?: number
  /** Milliseconds within which a dead process or an expired question is noticed; 1000 unless given. */
  readonly every?: number
  /** Milliseconds that steps under way may take once the scope closes; then they are interrupted. Unlimited unless given. */
  readonly drain?: number
  readonly options?: (record: RunRecord) => RunOptions
  /** Must not throw. */
  readonly onEnd?: (ended: Ended<E>) => void
  /** The store could not be read; the worker retries. Must not throw. */
  readonly onStoreFailure?: (failure: StoreFailed) => void
}

export interface Worker {
  /** Number of runs under way. */
  readonly atWork: number
  /** Whether it has stopped claiming runs. */
  readonly stopping: boolean
  /** Reads the store now, because something has been written. */
  readonly wake: () => void
  /** Passes what the run's record does not hold; kept in memory until the run has ended. */
  readonly give: (run: string, values: GivenValues) => void
  /**
   * Records a new run and starts it at once, if there is room and no run waits. False: it recorded nothing. Fails with
   * `fenced` when the store has a run of this id.
   */
  readonly start: (enqueued: EnqueuedRun, user?: JsonObject) => Effect<boolean, StoreFailed>
  /** Cancels a run that no other process owns. */
  readonly cancel: (record: RunRecord, request: CancelRequest) => Effect<RunRecord, StoreFailed>
}
