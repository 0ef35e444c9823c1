/** What a run does outside itself, kept in files to be looked at, compared and answered from. */
import type { Effect } from "effect/Effect"
import type { Failure, Json, JsonObject, Section, StoreFailed } from "@planloom/plugin/effect"

/** One call that leaves the engine: of a model, of a tool, or of a stage's own step. */
export interface CassetteCall {
  /** Path of the stage occurrence. */
  readonly path: string
  /** Unique within the run, and the same in every run that goes the same way. */
  readonly name: string
  /** What is asked. A replay answers only when it is what was asked when the answer was recorded. */
  readonly about: JsonObject
  /** The input of the stage, for a step of its own, which asks nothing that could be compared. */
  readonly input?: Json
  /** What the system prompt of a model's request was made of; only with `runsHooks`. */
  readonly sections?: ReadonlyArray<Section>
}

/**
 * Records the calls of one run, or answers them: then no model, no tool and no step runs. Give each run a
 * cassette of its own.
 */
export interface Cassette {
  readonly replays: boolean
  /**
   * Whether the hooks around a call run even if it is answered. The call is then what the hooks made of it, and names
   * none of them.
   */
  readonly runsHooks?: boolean
  readonly call: <A extends Json, E extends Failure, R>(
    call: CassetteCall,
    live: Effect<A, E, R>,
  ) => Effect<A, E, R>
  /** Why the recording is not one of this run, so far; `ended` also includes recorded calls that were not made. */
  readonly problems: (ended: boolean) => ReadonlyArray<string>
  /** Writes what was recorded. A run that was cancelled leaves out what it broke off, and a recording that was there as it was. */
  readonly save: (cancelled: boolean) => Effect<void, StoreFailed>
}
