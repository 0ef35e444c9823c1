/** Options of a run. */
import type { Effect } from "effect/Effect"
import type {
  Journal,
  Json,
  JsonObject,
  OpenedRun,
  RunStore,
  SessionStore,
  StageFailed,
  StoreFailed,
  Telemetry,
  ModelSwaps,
  Prompts,
  BudgetLedger,
  ConcurrencyLimiter,
  RateLimiter,
} from "@planloom/plugin/effect"
import type { Cassette } from "../model/Cassette.ts"
import type { SentRequest } from "../model/SentRequest.ts"
import type { AnswerNow } from "./AnswerNow.ts"
import type { Listener } from "./RunState.ts"
import type { Place } from "./stage/Place.ts"
import type { PartListener } from "../reply/parts/OutputParts.ts"
import type { Cancellation } from "./policy/Cancellation.ts"

export interface RunOptions {
  /**
   * The user that the run is for, who must fit the workflow's `user:`. Recorded like a personal input: resuming the run
   * needs it again, and it must have the same `id`.
   */
  readonly user?: JsonObject | undefined
  /** The run's id; a random one unless given. */
  readonly run?: string
  /** Who resumes the run, for the event `RunResumed`. */
  readonly by?: string
  /** Where steps are recorded; nowhere unless given. */
  readonly journal?: Journal
  /**
   * Where the whole run is recorded. A recorded run of this id resumes from the end of its record; a run that has
   * succeeded or failed returns its recorded result, and nothing runs. Both with the same inputs only: others fail with
   * `InputsRejected`.
   */
  readonly store?: RunStore
  /**
   * The session the run is a turn of: it sees the turns before it, and leaves one when it succeeds. Fails
   * with class `conflict` when another run of the session was kept first.
   */
  readonly session?: string
  /** Where sessions are kept; in `store` unless given. */
  readonly sessions?: SessionStore
  /** Recorded as this run's definition. */
  readonly definition?: Json
  /** Resumes the run only if no process has opened it since it had this epoch, and none owns it. */
  readonly epoch?: number
  /** The run as the caller has opened it in `store`. This run records its end and closes it. */
  readonly opened?: OpenedRun
  /** Called when the end of the record could not be written. The run returns its result nevertheless. */
  readonly onUnrecorded?: (failure: StoreFailed) => void
  /** Called with every event, in order. Must not throw. */
  readonly onEvent?: Listener
  /**
   * Called with every request of a stage to a model, when its call ends; those of reviewers and tools are not passed on.
   * Texts in it are free of secrets. Must not throw.
   */
  readonly onRequest?: (request: SentRequest) => void
  /** Called when the outputs have left and only later reviews remain. Must not throw. */
  readonly onReview?: () => void
  /**
   * Called before each step, which waits for a returned effect. A reader of events that falls behind holds the run up
   * with it. Must not throw.
   */
  readonly pace?: () => Effect<void> | undefined
  /**
   * Called by the fiber that is about to execute code of a component, and without a place after it: a host that keeps it in
   * an async context knows where an error comes from that no effect waits for. Must be fast and must not throw.
   */
  readonly onPlace?: (place: Place | undefined) => void
  /** Fails when an error has come from outside of the run's effects; the run then fails as with the failure of a stage. */
  readonly failure?: Effect<never, StageFailed>
  /** Observes the run, unless a cassette is replayed: then no model is called. */
  readonly telemetry?: Telemetry
  /**
   * Called with the parts of streamed outputs, in order; text in it is free of secrets and reasoning. While a returned
   * effect runs, the model is not read further. Must not throw. Unless given, replies are not streamed.
   */
  readonly onPart?: PartListener
  /** Cancels the run. A `Cancellation` made with a request replays the record, then cancels. */
  readonly cancellation?: Cancellation
  /** Concurrency groups shared with other runs; those of the process unless given. */
  readonly concurrencyLimiter?: ConcurrencyLimiter
  /** Records the calls of the run, or answers them, so that no model is called and no tool runs. */
  readonly cassette?: Cassette
  /** Rates and breakers shared with other runs; those of the process unless given. */
  readonly rateLimiter?: RateLimiter
  /** A budget shared with other runs, beside the workflow's own. */
  readonly budget?: BudgetLedger
  /**
   * Answers questions while the run waits: an approval (`{ approved, comment? }`), a clarification, a value. Without
   * an answer a recorded run is suspended; any other fails with class `clarification`.
   */
  readonly answer?: AnswerNow
  /** Each run gets a folder in it, named by its id, for the files its tools write; `.planloom/work` unless given. */
  readonly workspace?: string
  /** Texts in place of those of prompt files. The run keeps the versions with which it started. */
  readonly prompts?: Prompts
  /** Models in place of those of the workflow's file, taken by the next call. A replayed cassette calls none and asks for none. */
  readonly models?: ModelSwaps | undefined
  /** Values that must never appear in an event. */
  readonly secrets?: ReadonlyArray<string>
}
