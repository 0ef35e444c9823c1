/** The context of a model or tool call: its path, its budgets, its events, its record. */
import type { Effect } from "effect/Effect"
import type {
  Failure,
  Journal,
  Json,
  JsonObject,
  RunEvent,
  Untimed,
  BudgetLedger,
  RateLimiter,
} from "@planloom/plugin/effect"
import type { CallHooks } from "../hook/CallHooks.ts"
import type { CassetteCall } from "./Cassette.ts"
import type { ImageFiles } from "./ImageFiles.ts"
import type { SentRequest } from "./SentRequest.ts"
import type { Ledger } from "./limit/Ledger.ts"

export interface CallSite {
  readonly run: string
  /** Path of the stage occurrence, for events. */
  readonly path: string
  /** The stage's id as written. */
  readonly stage: string
  /** Path of the attempt; names of recorded calls start with it. */
  readonly attemptPath: string
  readonly budgets: ReadonlyArray<Ledger>
  /** The call is part of another model call, which holds a reservation: it reserves nothing, and does not wait. */
  readonly isInside: boolean
  /** The host's budget, beside `budgets`. */
  readonly shared: BudgetLedger | undefined
  /** Shared with other runs. */
  readonly rateLimiter: RateLimiter
  /** Whether calls are answered from a recording. */
  readonly replays: boolean
  /** Whether calls are recorded. */
  readonly records: boolean
  /** No journal and no cassette takes part in its calls: `record` and `between` give the effect itself. */
  readonly isPlain: boolean
  /** `at` is the time where it has just been read. */
  readonly emit: (event: Untimed<RunEvent>, at?: number) => void
  readonly record: <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect<A, E, R>,
    /** The request, for a cassette. */
    about?: () => JsonObject,
    /** The effect runs hooks around a call that `between` makes. */
    isHooked?: boolean,
  ) => Effect<A, E, R>
  /** The call of a record without the hooks around it, for a cassette that runs them. */
  readonly between: <A extends Json, E extends Failure, R>(
    name: string,
    call: Effect<A, E, R>,
    about: () => Pick<CassetteCall, "about" | "sections">,
  ) => Effect<A, E, R>
  /** The recorded outcome of a call, by its name. */
  readonly lookup: Journal["lookup"]
  /** Undefined for a stage without hooks. */
  readonly hooks: CallHooks | undefined
  /** Images of files in its messages; undefined without any. */
  readonly images: ImageFiles | undefined
  /** Takes requests as they were sent; undefined unless the host reads them. */
  readonly sent: ((request: Omit<SentRequest, "attempt">) => void) | undefined
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/**
 * An event while it is built: members that it may lack are assigned, because each conditional spread costs a copy. A
 * frequent one has room for number and time: members that are added later take a second object.
 */
export type Built<T extends RunEvent["type"]> = {
  -readonly [K in keyof Untimed<Extract<RunEvent, { readonly type: T }>>]: Untimed<
    Extract<RunEvent, { readonly type: T }>
  >[K]
} & { seq?: number; at?: number }
