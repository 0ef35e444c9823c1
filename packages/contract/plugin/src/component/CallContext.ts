/** What hooks, reviewers and stages know of the call they belong to. */
import type { Effect } from "effect/Effect"
import type { Collection } from "./Collection.ts"
import type { Failure } from "../run/Failure.ts"
import type { Json, JsonObject } from "../value/Json.ts"
import type { CallRecord } from "../run/CallRecord.ts"
import type { GiveText } from "../value/Texts.ts"

/** The conversation that a run is a turn of. */
export interface CallSession {
  readonly id: string
  /** 1 for the first turn. */
  readonly turn: number
  readonly state: JsonObject
}

/** What is known at every place that calls a component. */
export interface Surroundings {
  readonly run: string
  /** Path of the stage occurrence; empty outside of stages. */
  readonly path: string
  /** The stage's id as written. */
  readonly stage?: string
  /** Given by the host, typed by the workflow's `user:`; empty without one. */
  readonly user: JsonObject
  readonly session?: CallSession
  /** Tool calls of the run so far: those of other stages as they ended, without `result`, then those of this one as they started. */
  readonly calls: ReadonlyArray<CallRecord>
  readonly collection: (name: string) => Collection
  /** The variant of an experiment that this run has, the same throughout; undefined if the workflow has no such experiment. */
  readonly variant: (experiment: string) => string | undefined
  /** The workflow's words to end users, in the user's language. */
  readonly text: GiveText
  /** Contents of the files of a kind under `use.files`, in declared order. */
  readonly files: (kind: string) => ReadonlyArray<Json>
  readonly note: (note: string, data: Json) => Effect<void>
}

/** The context of a hook or a reviewer. It runs inside a recorded call, and never on a replay of it. */
export interface CallContext<With = JsonObject> extends Surroundings {
  /** Its options, with expressions evaluated. */
  readonly with: With
  /** Prompt mode of the call. */
  readonly mode?: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Records an effect under a name unique in this component and call, so that a retried attempt does not repeat it. */
  readonly step: <A extends Json>(name: string, effect: Effect<A, Failure>) => Effect<A, Failure>
}
