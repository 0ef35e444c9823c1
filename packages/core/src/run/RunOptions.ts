/** What a host may say about how a pipeline is run. */
import type { Journal, Json, RunStore, SessionStore, StoreFailed } from "@planloom/plugin"
import type { BudgetLedger } from "../model/BudgetLedger.ts"
import type { Cassette } from "../model/Cassette.ts"
import type { RateLimiter } from "../model/RateLimiter.ts"
import type { ConcurrencyLimiter } from "./policy/ConcurrencyLimiter.ts"
import type { AnswerNow } from "./AnswerNow.ts"
import type { Listener } from "./RunState.ts"
import type { Cancellation } from "./policy/Cancellation.ts"

export interface RunOptions {
  /** The run's id; a random one unless given. */
  readonly run?: string
  /** Where steps are recorded; nowhere unless given. */
  readonly journal?: Journal
  /**
   * Where the whole run is recorded. A run of this id that is there already goes on where it was; one
   * that has succeeded or failed gives its recorded end again, and nothing runs.
   */
  readonly store?: RunStore
  /**
   * The session the run is a turn of: it sees the turns before it, and leaves one when it succeeds. Fails
   * with class `conflict` when another run of the session was kept first.
   */
  readonly session?: string
  /** Where sessions are kept; in `store` unless given. */
  readonly sessions?: SessionStore
  /** What the store keeps as this run's definition. */
  readonly definition?: Json
  /** Resumes the run only if nobody has opened it since it had this epoch, and nobody is at work on it. */
  readonly epoch?: number
  /** Hears that the last of the record could not be written. The run has its result nevertheless. */
  readonly onUnrecorded?: (failure: StoreFailed) => void
  /** Hears every event, in order, as it happens. Must not throw. */
  readonly onEvent?: Listener
  /** How far the run may go: `Cancellation` with a request goes over its record, then cancels it. */
  readonly cancellation?: Cancellation
  /** RateLimiter shared with other runs; those of the process unless given. */
  readonly concurrencyLimiter?: ConcurrencyLimiter
  /** Records the calls of the run, or answers them: then nothing is asked and no tool runs. */
  readonly cassette?: Cassette
  /** Rates and breakers shared with other runs; those of the process unless given. */
  readonly rateLimiter?: RateLimiter
  /** A budget shared with other runs, beside the workflow's own. */
  readonly budget?: BudgetLedger
  /**
   * Asks somebody who is there, whatever the run needs an answer to: an approval (`{ approved, comment? }`), a
   * clarification, a value. Without an answer a recorded run is suspended, any other fails with class `clarification`.
   */
  readonly answer?: AnswerNow
  /** Each run gets a folder in it, named by its id, for the files its tools write; `.planloom/work` unless given. */
  readonly workspace?: string
  /** Values that must never appear in an event. */
  readonly secrets?: ReadonlyArray<string>
}
