/** Sessions: turns and state that a conversation keeps between runs. */
import type { Effect } from "effect/Effect"
import type { Entity } from "./CallRecord.ts"
import type { JsonObject } from "../value/Json.ts"
import type { StoreFailed } from "./StoreFailed.ts"

/** The request and reply of one run, as saved by its workflow. */
export interface SessionTurn {
  readonly user: string
  readonly assistant: string
  /** What its tool calls did and were about, for a summary; only in a session that is compacted. */
  readonly notes?: ReadonlyArray<string>
}

/** A thing that a tool's result was about. */
export interface SessionEntity extends Entity {
  /** The last turn with a result about it; 1 for the first turn. */
  readonly turn: number
}

/** A saved session. */
export interface SessionRecord {
  readonly session: string
  /** The workflow of the last run. */
  readonly workflow: string
  /** Number of runs saved in it: 1 after the first. */
  readonly version: number
  /** Of the turns before `turns`; absent if there are none. */
  readonly summary?: string
  /** Oldest first. */
  readonly turns: ReadonlyArray<SessionTurn>
  readonly state: JsonObject
  /** Last seen first. */
  readonly entities?: ReadonlyArray<SessionEntity>
  /** Digests of the ids of the users whose runs were saved in it. */
  readonly userDigests?: ReadonlyArray<string>
  /** The run that was saved last. */
  readonly run: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** Changes that a run saves in its session. */
export interface SessionChange {
  readonly run: string
  /** Epoch of the run if the same store records it: a fenced-off process saves nothing. */
  readonly epoch?: number
  readonly workflow: string
  /** Of the run's user. */
  readonly userDigest?: string
  /** The run saved last when this one started; undefined for a new session. */
  readonly after: string | undefined
  /** Of the turns before `turns`. */
  readonly summary?: string
  /** All turns of the session after the change. */
  readonly turns: ReadonlyArray<SessionTurn>
  readonly state: JsonObject
  /** All entities of the session after the change. */
  readonly entities?: ReadonlyArray<SessionEntity>
  /** Epoch milliseconds. */
  readonly at: number
}

/** `saved: false` has the conflicting run and its version. */
export type SessionSaved =
  | { readonly saved: true; readonly version: number }
  | { readonly saved: false; readonly version: number; readonly run: string | undefined }

export interface SessionFilter {
  /** With a saved run of this user. */
  readonly userDigest?: string
  readonly limit?: number
}

/** A turn whose outputs have left and may still be corrected before it is saved. */
export interface ReviewedTurn {
  readonly run: string
  /** Of the run: a fenced-off process announces nothing. */
  readonly epoch: number
  /** Number of runs that were saved in the session when this one started; a later one overtakes it. */
  readonly version: number
  /** Milliseconds that its reviews and its save take at most. */
  readonly ms: number
}

/** Stores sessions. Of two concurrent runs the first to save wins; the other gets `saved: false`. */
export interface SessionStore {
  readonly load: (session: string) => Effect<SessionRecord | undefined, StoreFailed>
  /** The run of this session that waits for an answer. */
  readonly waiting: (session: string) => Effect<string | undefined, StoreFailed>
  /** Announces a turn of a run that this store records. */
  readonly announce: (session: string, turn: ReviewedTurn) => Effect<void, StoreFailed>
  /**
   * Announced turns that may still be saved, oldest first: their runs have not ended, and no other run was saved since
   * they started. `active` as in `RunRecord`. The next turn of the session reads it several times a second.
   */
  readonly announced: (
    session: string,
  ) => Effect<ReadonlyArray<ReviewedTurn & { readonly active: boolean }>, StoreFailed>
  /** Idempotent per run: saving again returns the first result. */
  readonly save: (session: string, change: SessionChange) => Effect<SessionSaved, StoreFailed>
  /** Most recently changed first. */
  readonly list: (filter?: SessionFilter) => Effect<ReadonlyArray<SessionRecord>, StoreFailed>
  /** False if the session does not exist. Active runs of the session fail to save when they end. */
  readonly clear: (session: string) => Effect<boolean, StoreFailed>
  /** Deletes sessions last changed before a time and without resumable runs; returns their ids. */
  readonly prune: (before: number) => Effect<ReadonlyArray<string>, StoreFailed>
}
