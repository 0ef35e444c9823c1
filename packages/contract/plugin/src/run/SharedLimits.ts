/** Ports for limits that runs share: concurrency groups, rates and breakers of providers, budgets of a host. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, StageFailed, ToolFailed } from "./Failure.ts"
import type { Usage } from "./Usage.ts"

/** A concurrency group as a workflow or a stage declares it. */
export interface ConcurrencyGroup {
  readonly group: string
  readonly limit: number
  /** `queue` waits, `cancel` stops the oldest member, `fail` refuses the new one. */
  readonly on_limit: "queue" | "cancel" | "fail"
}

export interface ConcurrencyLimiter {
  /** Runs the work as a member of the group. A refused or stopped member fails with class `cancelled`. */
  readonly within: <A, E, R>(
    group: ConcurrencyGroup,
    work: Effect<A, E, R>,
  ) => Effect<A, E | StageFailed, R>
}

/** A rate that a call keeps. `key` is the same in every workflow whose rate is for the same models. */
export interface CallRate {
  readonly name: string
  readonly key: string
  /** Per minute. */
  readonly requests: number | undefined
  /** Per minute, input and output. */
  readonly tokens: number | undefined
  /** At once. */
  readonly concurrency: number | undefined
}

/** When a failing provider is left alone. Durations in milliseconds. */
export interface CallBreaker {
  readonly failures: number
  readonly within: number
  readonly probe_after: number
}

export interface LimitedCall {
  readonly provider: string
  /** `provider/model`. */
  readonly model: string
  readonly rates: ReadonlyArray<CallRate>
  readonly breaker: CallBreaker | undefined
  /** The most input and output tokens it can use, as far as known; corrected by the actual usage. */
  readonly tokens: number
  /** Called for waits of a second or more; `ms` is undefined when the length is unknown. */
  readonly waits: (rate: string, ms: number | undefined) => void
}

export interface RateLimiter {
  /**
   * Makes the call when its breaker and its rates allow it. An open breaker fails it with class `unavailable` and
   * `unsent`. `taken` reads the tokens that a reply used. Interruption returns unused amounts.
   */
  readonly within: <A>(
    call: LimitedCall,
    taken: (reply: A) => number,
    work: Effect<A, ModelFailed>,
  ) => Effect<A, ModelFailed>
}

/** Amounts of a budget. `cost` is in US dollars. */
export interface Spent {
  tokens: number
  cost: number
  toolCalls: number
  modelCalls: number
}

/** A model call before it is made. */
export interface BudgetedCall {
  /** Unique for the run's call, the same when a resume answers it from the record. */
  readonly id: string
  readonly model: string
  /** Whether its price is known. */
  readonly priced: boolean
  /** The most that it can take; undefined unless the ledger measures. */
  readonly most: CallSize | undefined
  /** Called once if the call has to wait for others. */
  readonly waits: () => void
}

/** The most that a call can use; `Infinity` where that is unknown. */
export interface CallSize {
  readonly tokens: number
  /** US dollars; undefined when the price is not known. */
  readonly cost: number | undefined
  /** Its prompt, which is used in any case. */
  readonly prompt: {
    readonly tokens: number
    /** Counted as its model counts, rather than estimated. */
    readonly exact: boolean
    readonly cost: number | undefined
  }
}

/** What a call has used. `unsent`: it was counted, but never reached its service. */
export interface CallCost {
  readonly usage: Usage
  readonly cost: number | undefined
  readonly unsent: boolean
}

/** The operations of a call on a budget of a host while it is made. */
export interface CallAccount {
  /** Books what the call has used since it booked the last time. */
  readonly book: (cost: CallCost) => void
  /**
   * Counts one more request of the call, which continues a reply, and reserves its most. Fails with class `budget` if it
   * must not be sent. Never waits for other calls: they may wait for this one. What was used before is booked.
   */
  readonly again: (most: CallSize | undefined) => Effect<void, ModelFailed>
}

/** A budget of a host, such as a tenant's, beside those of workflows. A refused call fails with class `budget`. */
export interface BudgetLedger {
  /** Whether sizes of calls must be known before they are made. */
  readonly measures: boolean
  /**
   * Makes the call when the budget allows it, waiting for calls under way that may yet spend what is left. The call
   * books its cost before it ends, also when it fails or is interrupted.
   */
  readonly modelCall: <A, R>(
    planned: BudgetedCall,
    call: (account: CallAccount) => Effect<A, ModelFailed, R>,
  ) => Effect<A, ModelFailed, R>
  /** Counts a tool call. */
  readonly toolCall: (call: {
    readonly id: string
    readonly tool: string
  }) => Effect<void, ToolFailed>
  /**
   * What a run had spent before it was resumed, in stages that are answered from the record. A ledger that outlives
   * the process has booked it and does nothing.
   */
  readonly spentBefore: (spent: Spent) => void
}
