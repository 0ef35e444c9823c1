/** Ports for recording: the journal of one run, and the store that keeps runs. */
import type { Effect } from "effect/Effect"
import type { Collection } from "../component/Collection.ts"
import type { Failure, FailureClass } from "./Failure.ts"
import type { RunEvent } from "./Event.ts"
import type { Json } from "../value/Json.ts"
import type {
  CancelRequest,
  PersonalDigests,
  RecordedRun,
  ResetChange,
  RunStatus,
  StoredStep,
} from "./RecordedRun.ts"
import type { RecordedStep } from "./RecordedStep.ts"
import type { SessionStore } from "./Session.ts"
import type { StoreFailed } from "./StoreFailed.ts"
import type { Answer, AnswerRefused, OpenWait, Wait } from "./Wait.ts"

/**
 * Records every effect of one run. Names are paths created by the engine, unique within the run
 * (`work[2]/results/tool:aggregate#1/attempt:1`), so that parallel work needs no fixed order.
 */
export interface Journal {
  /**
   * Returns the recorded outcome, success or failure, or else runs the effect once and records its outcome.
   * Not interruptible between the end of the effect and its record. Dies with `StoreFailed` if the outcome cannot
   * be recorded, and runs no further effect after that. `journalStep` builds it on `lookup` and `record`.
   */
  readonly step: <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect<A, E, R>,
  ) => Effect<A, E, R>
  /**
   * The recorded outcome of a step, or undefined. Dies with `StoreFailed` if the record cannot be read, or if another
   * process has claimed the run and the step has no outcome.
   */
  readonly lookup: (name: string) => Effect<RecordedStep | undefined>
  /** Records the outcome of a step that `lookup` did not find. Dies with `StoreFailed` if it cannot be recorded. */
  readonly record: (name: string, outcome: RecordedStep) => Effect<void>
  /** Waits until an epoch time in milliseconds; a recorded time takes precedence. */
  readonly sleep: (name: string, until: number) => Effect<void>
  /**
   * Records the question and returns it as first recorded, with its answer if present. An expired question is
   * answered with its default, or with null (`by: "expired"`). Does not wait for an answer.
   */
  readonly wait: (wait: Wait) => Effect<{ readonly wait: Wait; readonly answer?: Answer }>
  /** Records an answer to a recorded question and returns the effective one, which is the first. */
  readonly answer: (name: string, answer: Answer) => Effect<Answer>
  /** Whether a run with open questions can be resumed later; otherwise an open question ends it. */
  readonly lasting: boolean
  /** Appends to the run's event log. Must not fail the run and must keep the order of calls. */
  readonly event: (event: RunEvent) => void
}

/** Summary of a run in a store. */
export interface RunRecord {
  readonly run: string
  readonly workflow: string
  readonly status: RunStatus
  readonly inputs: Json
  readonly startedAt: number
  readonly finishedAt?: number
  /** Number of times the run was started or resumed. */
  readonly epoch: number
  /**
   * Number of owners in a row that fell silent while they had the run, each without recording a step after the end of the
   * one before it; default 0. An owner falls silent when it dies or stands still; one that released the run did not.
   */
  readonly attemptsWithoutProgress?: number
  /** Why an owner blamed the run for its own end; undefined once a step was recorded since. */
  readonly suspicion?: string
  /** The session that the run is a turn of. */
  readonly session?: string
  /** Digest of the id of the user that the run is for. */
  readonly userDigest?: string
  /** Class of the failure that ended it. */
  readonly failedWith?: FailureClass
  /**
   * A process is or may be working on it: a process that the store cannot check counts as alive until it has sent no
   * heartbeat for long enough.
   */
  readonly active: boolean
}

/** Arguments for starting or resuming a run. */
export interface RunStart {
  readonly run: string
  readonly workflow: string
  /** Recorded on start; ignored on resume. */
  readonly inputs: Json
  /** The workflow's definition, with which the run is resumed. Stored once for all runs that share it. */
  readonly definition?: Json
  /** Redacts secrets. Applied to everything that is recorded, not to the values the run uses. */
  readonly scrub?: (value: Json) => Json
  /** The session that the run is a turn of. Recorded on start. */
  readonly session?: string
  /** Digest of the id of the user that the run is for. Recorded on start. */
  readonly userDigest?: string
  /** Of its personal inputs, of which `inputs` holds placeholders. Recorded on start. */
  readonly personalDigests?: PersonalDigests
  /** Recorded on start, in epoch milliseconds; the time of the call unless given. */
  readonly startedAt?: number
  /**
   * Opens the run only if it still has this epoch and no process is working on it; otherwise fails with `fenced` or
   * `busy`. 0 only creates a run: one that is recorded has a higher epoch. Without it the run is taken from its owner,
   * whether alive or not.
   */
  readonly epoch?: number
}

/** A run that is open for recording. */
export interface OpenedRun {
  readonly journal: Journal
  /** 1 for a new run, incremented by each opening. Only the newest epoch may record. */
  readonly epoch: number
  /** The recorded session of the run, also known if no event of the run was stored. */
  readonly session?: string
  /** Events recorded before, in order; empty for a new run. */
  readonly events: ReadonlyArray<RunEvent>
  /** Calls `handler` within half a second of a cancel request for the run; immediately for an earlier one. */
  readonly onCancel: (handler: (request: CancelRequest) => void) => void
  /**
   * Flushes pending writes and releases the run. `answered`: the run was about to be suspended, but one of its
   * questions has been answered meanwhile, so the caller should resume it.
   */
  readonly close: Effect<"closed" | "answered", StoreFailed>
}

export interface RunFilter {
  readonly status?: RunStatus
  readonly workflow?: string
  /** Started at `since` or later, and earlier than `before`; epoch milliseconds. */
  readonly since?: number
  readonly before?: number
  /** Ended with a failure of this class. */
  readonly failedWith?: FailureClass
  readonly session?: string
  readonly userDigest?: string
  /** Maximum number of runs, newest first. */
  readonly limit?: number
}

export interface WaitFilter {
  readonly run?: string
  readonly workflow?: string
  readonly userDigest?: string
}

/** Runs to delete: those that ended before a time, and those beyond the newest `keep`; by age also sessions. */
export interface Retention {
  readonly before?: number
  readonly keep?: number
}

/** Numbers of runs that have not ended. */
export interface UnfinishedRuns {
  /** No process has them, and one is to take them. */
  readonly queued: number
  /** A process has them; one that is dead counts until another takes the run. */
  readonly active: number
  /** They wait for a person, a program or a time. */
  readonly suspended: number
  /** They wait only for answers of their users. */
  readonly clarification: number
}

/** A page of due runs: cheap for any number of runs. */
export interface DuePage {
  readonly limit: number
  /** Continues after this run, the last of the previous page. */
  readonly after?: string
}

/** Ids of runs of one user. */
export interface ErasedRuns {
  readonly runs: ReadonlyArray<string>
  /** Runs that stay, because a process works on them. */
  readonly active: ReadonlyArray<string>
}

/** Stores runs. `open` returns the journal of a new or existing run. */
export interface RunStore {
  readonly id: string
  readonly summary: string
  /** Fences off the previous owner: its next record is rejected. */
  readonly open: (start: RunStart) => Effect<OpenedRun, StoreFailed>
  /** Newest first. */
  readonly list: (filter?: RunFilter) => Effect<ReadonlyArray<RunRecord>, StoreFailed>
  readonly show: (run: string) => Effect<RunRecord | undefined, StoreFailed>
  /** From this `seq` on, in order. */
  readonly events: (run: string, from?: number) => Effect<ReadonlyArray<RunEvent>, StoreFailed>
  /**
   * Calls the listener with events of the run whenever this process has recorded some, in order, as `events` would
   * read them, until the returned function is called. Without it they are read from the store.
   */
  readonly onRecorded?: (
    run: string,
    listener: (events: ReadonlyArray<RunEvent>) => void,
  ) => () => void
  /** Oldest first. */
  readonly steps: (run: string) => Effect<ReadonlyArray<StoredStep>, StoreFailed>
  readonly definition: (run: string) => Effect<Json | undefined, StoreFailed>
  /** Undefined for a run without personal inputs. Apart from `show`, whose result is shown to more people. */
  readonly personalDigests: (run: string) => Effect<PersonalDigests | undefined, StoreFailed>
  /** Replaces the digests of every run of a user by null; returns the ids of runs that had some. */
  readonly erasePersonal: (userDigest: string) => Effect<ReadonlyArray<string>, StoreFailed>
  /**
   * Deletes the runs of a user, ended or not, and leaves nothing of them in its files. Runs that a process works on stay. Without
   * it, runs are deleted by `prune` only.
   */
  readonly eraseRuns?: (userDigest: string) => Effect<ErasedRuns, StoreFailed>
  /** Open questions of runs that have not ended, oldest first. */
  readonly waits: (filter?: WaitFilter) => Effect<ReadonlyArray<OpenWait>, StoreFailed>
  /**
   * Answers an open question and returns the run's record: if it is suspended, the caller resumes it. Rejects a
   * question that is not open. The caller validates the value against its schema.
   */
  readonly answer: (
    run: string,
    name: string,
    answer: Answer,
  ) => Effect<RunRecord, StoreFailed | AnswerRefused>
  /**
   * Runs that can be resumed, oldest first: those without a live process, and those suspended on a question that
   * was answered or has expired. Without a page all of them.
   */
  readonly due: (page?: DuePage) => Effect<ReadonlyArray<RunRecord>, StoreFailed>
  /** Number of unfinished runs that wait for a process or are active; counts no further than `most`. */
  readonly backlog: (most: number) => Effect<number, StoreFailed>
  /** Read with each scrape of a server's metrics, so it should not read ended runs. */
  readonly unfinished: Effect<UnfinishedRuns, StoreFailed>
  /**
   * Watches the owner of a run until its state is certain: true at its next heartbeat, false if no process is working
   * on the run. Immediate if the store can check the process; otherwise it may take as long as the heartbeat timeout.
   */
  readonly watchOwner: (run: string) => Effect<boolean, StoreFailed>
  /**
   * Deletes ended runs and data used only by them; returns their ids. A run is kept as long as its forks, whose steps
   * may refer to its files.
   */
  readonly prune: (retention: Retention) => Effect<ReadonlyArray<string>, StoreFailed>
  readonly sessions: SessionStore
  /** Values that plugins keep between runs. Without it they are kept in the memory of the process. */
  readonly collection?: (name: string) => Collection
  /** Requests cancellation from the process working on the run; false without one. */
  readonly cancel: (run: string, request: CancelRequest) => Effect<boolean, StoreFailed>
  /**
   * Deletes a part of the record atomically, and fences off the previous owner. The run is `running` afterwards,
   * without an owner. Fails with `busy` while a process is working on it.
   */
  readonly reset: (run: string, change: ResetChange) => Effect<void, StoreFailed>
  /**
   * Called when this process is about to end because of one of its runs: notes the reason as the run's `suspicion`, and
   * releases all other runs that this process has open, so that they do not count as its owner's. Without a run it releases
   * all of them. No other code of the process runs any more, so it has to do its work synchronously. Without it, each run of
   * the process counts as one that may have ended it.
   */
  readonly blame?: (run: string | undefined, why: string) => Effect<void, StoreFailed>
  readonly read: (run: string) => Effect<RecordedRun, StoreFailed>
  /** Imports a run. Fails with `exists` if its id is taken. */
  readonly write: (recorded: RecordedRun) => Effect<void, StoreFailed>
  /** Changes whenever something may have been written; cheap enough to poll ten times a second. */
  readonly revision: Effect<string, StoreFailed>
}
