/** The one port for everything that is not a pure function of recorded values, and where it is kept. */
import * as Data from "effect/Data"
import type { Effect } from "effect/Effect"
import type { Failure, FailureClass } from "./Failure.ts"
import type { RunEvent } from "./Event.ts"
import type { Json } from "./Json.ts"
import type { CancelRequest, RecordedRun, StoredStep, TakeBack } from "./RecordedRun.ts"
import type { SessionStore } from "./Session.ts"
import type { Answer, AnswerRefused, OpenWait, Wait } from "./Wait.ts"

/**
 * What one run writes and reads. Names are paths the engine makes, unique within the run
 * (`work[2]/results/tool:aggregate#1/attempt:1`), so parallel work needs no fixed order.
 */
export interface Journal {
  /**
   * The recorded outcome when there is one, success or failure; otherwise runs the effect once and
   * records its outcome. Nothing may interrupt it between the end of the effect and its record.
   * Dies with `StoreFailed` when the outcome cannot be recorded, and then runs nothing any more.
   */
  readonly step: <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect<A, E, R>,
  ) => Effect<A, E, R>
  /** Waits until an epoch time in milliseconds; a time recorded earlier stays. */
  readonly sleep: (name: string, until: number) => Effect<void>
  /**
   * Keeps the question and gives it as it was kept the first time, with its answer when there is one. One
   * that has expired is answered here: with its default, or with nothing (`by: "expired"`). Waits for nobody.
   */
  readonly wait: (wait: Wait) => Effect<{ readonly wait: Wait; readonly answer?: Answer }>
  /** Records an answer to a question kept here, and gives the one that stays: the first. */
  readonly answer: (name: string, answer: Answer) => Effect<Answer>
  /** Whether a run may be left with open questions and go on later; where not, an open question is its end. */
  readonly lasting: boolean
  /** Appends to the run's event log. Must not fail the run's work and must keep the order of calls. */
  readonly event: (event: RunEvent) => void
}

/** Why a store could not do its part, in kinds a host tells apart. */
export const storeFailures = {
  locked: "another program holds the store",
  full: "there is no space left to record in",
  read_only: "the place cannot be written",
  corrupt: "what is stored there cannot be read",
  newer: "a newer version has written the store",
  fenced: "somebody else has taken the run over",
  missing: "there is no such run",
  exists: "there is a run of this id already",
  busy: "somebody is at work on the run",
  unavailable: "the store cannot be reached",
} as const

/** `message` is one sentence for a person: what is wrong, where, and what to do about it. */
export class StoreFailed extends Data.TaggedError("StoreFailed")<{
  readonly reason: keyof typeof storeFailures
  readonly message: string
}> {}

/** How a run may stand. */
export const runStatuses = [
  "running",
  "suspended",
  "clarification",
  "succeeded",
  "failed",
  "cancelled",
] as const

/** `clarification`: it waits for answers of its user alone, or has failed for want of one. */
export type RunStatus = (typeof runStatuses)[number]

/** A run as the store lists it. */
export interface RunRecord {
  readonly run: string
  readonly workflow: string
  readonly status: RunStatus
  readonly inputs: Json
  readonly startedAt: number
  readonly finishedAt?: number
  /** How often somebody has begun or gone on with it. */
  readonly epoch: number
  /** How often in a row it was taken up, and neither let go nor a step of it recorded since; 0 unless given. */
  readonly fruitless?: number
  /** The session it is a turn of. */
  readonly session?: string
  /** The class of the failure it ended with. */
  readonly failedWith?: FailureClass
  /**
   * A process is at work on it, or may be: one that the store cannot ask counts as alive until its silence has been
   * watched for long enough.
   */
  readonly active: boolean
}

/** What a store is told when a run begins or goes on. */
export interface RunStart {
  readonly run: string
  readonly workflow: string
  /** Kept from the first time; ignored when the run is there already. */
  readonly inputs: Json
  /** What the run is a run of, so that it can go on with exactly that. Kept once for all runs that share it. */
  readonly definition?: Json
  /** Takes secrets out of a value. What is written goes through it; what the run computes with does not. */
  readonly scrub?: (value: Json) => Json
  /** The session the run is a turn of. Kept from the first time. */
  readonly session?: string
  /**
   * Opens it only if nobody has since it had this epoch, and nobody is at work on it: fails with `fenced` or `busy`
   * otherwise. Without it the run is taken from its owner, dead or alive.
   */
  readonly epoch?: number
}

/** A run that is open for recording. */
export interface OpenedRun {
  readonly journal: Journal
  /** 1 for a new run, one more each time it is opened again. Only the newest may record. */
  readonly epoch: number
  /** The session the run is a turn of, as the store has kept it: known even when no event of the run was stored. */
  readonly session?: string
  /** What was recorded before, in order; empty for a new run. */
  readonly events: ReadonlyArray<RunEvent>
  /** Has `hear` called, within half a second, when somebody asks the store to cancel the run; at once when that was before. */
  readonly onCancel: (hear: (request: CancelRequest) => void) => void
  /**
   * Writes what is not written yet and lets the run go. `answered`: the run was to be suspended, but one of
   * the questions it waits for has been answered meanwhile, and it is for the caller to go on with it.
   */
  readonly close: Effect<"closed" | "answered", StoreFailed>
}

export interface RunFilter {
  readonly status?: RunStatus
  readonly workflow?: string
  /** Begun at this time or later, and before that one; epoch milliseconds. */
  readonly since?: number
  readonly before?: number
  /** Ended in a failure of this class. */
  readonly failedWith?: FailureClass
  readonly session?: string
  /** At most so many, the newest. */
  readonly limit?: number
}

export interface WaitFilter {
  readonly run?: string
  readonly workflow?: string
}

/** Which runs to forget: those that ended before a time, and those beyond the newest so many; by age also sessions. */
export interface Retention {
  readonly before?: number
  readonly keep?: number
}

/** A part of the runs that are due: cheap, however many there are. */
export interface DuePage {
  readonly limit: number
  /** Runs behind this one, the last of the page before. */
  readonly after?: string
}

/** Keeps runs. `open` gives the journal of one run, new or begun earlier. */
export interface RunStore {
  readonly id: string
  readonly summary: string
  /** Fences off whoever had the run open: their next record is refused. */
  readonly open: (start: RunStart) => Effect<OpenedRun, StoreFailed>
  /** Newest first. */
  readonly list: (filter?: RunFilter) => Effect<ReadonlyArray<RunRecord>, StoreFailed>
  readonly show: (run: string) => Effect<RunRecord | undefined, StoreFailed>
  /** From this `seq` on, in order. */
  readonly events: (run: string, from?: number) => Effect<ReadonlyArray<RunEvent>, StoreFailed>
  /** Oldest first. */
  readonly steps: (run: string) => Effect<ReadonlyArray<StoredStep>, StoreFailed>
  readonly definition: (run: string) => Effect<Json | undefined, StoreFailed>
  /** Open questions of runs that have not ended, oldest first. */
  readonly waits: (filter?: WaitFilter) => Effect<ReadonlyArray<OpenWait>, StoreFailed>
  /**
   * Answers an open question and gives the run as it is at that moment: if it is suspended, whoever has
   * answered goes on with it. Refuses what is not open; whether the value fits its schema is for the caller.
   */
  readonly answer: (
    run: string,
    name: string,
    answer: Answer,
  ) => Effect<RunRecord, StoreFailed | AnswerRefused>
  /**
   * Runs that can go on by themselves, oldest first: those that nobody is at work on any more, and those
   * suspended on a question that has been answered or has expired. Without a page all of them.
   */
  readonly due: (page?: DuePage) => Effect<ReadonlyArray<RunRecord>, StoreFailed>
  /** How many runs that have not ended wait for a process or are at work; counts no further than `most`. */
  readonly backlog: (most: number) => Effect<number, StoreFailed>
  /**
   * Watches the owner of a run until it is certain: true at its next sign of life, false when nobody is at work on the
   * run. Answers at once where the store can see the process; otherwise it may take as long as a silence that means death.
   */
  readonly watchOwner: (run: string) => Effect<boolean, StoreFailed>
  /**
   * Forgets ended runs and what only they needed; gives their ids. A run stays as long as one that was forked from
   * it: steps of the fork may name its files.
   */
  readonly prune: (retention: Retention) => Effect<ReadonlyArray<string>, StoreFailed>
  readonly sessions: SessionStore
  /** Asks whoever is at work on the run to cancel it. False when nobody is: then nothing is asked. */
  readonly cancel: (run: string, request: CancelRequest) => Effect<boolean, StoreFailed>
  /**
   * Gives up a part of the record, all of it or nothing, and fences off whoever had the run open. It is
   * `running` afterwards with nobody at work on it. Fails with `busy` while somebody is.
   */
  readonly takeBack: (run: string, change: TakeBack) => Effect<void, StoreFailed>
  readonly read: (run: string) => Effect<RecordedRun, StoreFailed>
  /** Keeps a run from elsewhere. Fails with `exists` when its id is taken. */
  readonly write: (recorded: RecordedRun) => Effect<void, StoreFailed>
  /** Another text whenever something may have been written since; cheap enough to ask ten times a second. */
  readonly revision: Effect<string, StoreFailed>
}
