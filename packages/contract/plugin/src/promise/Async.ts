/** Types of contexts in promise style: every effect of a member becomes a promise. */
import type { Effect } from "effect/Effect"
import type { Collection } from "../component/Collection.ts"
import type { Json } from "../value/Json.ts"
import type {
  AgentLimits,
  AgentReply,
  Ask,
  ModelClient as EffectModelClient,
} from "../component/ModelClient.ts"
import type { CallRecord } from "../run/CallRecord.ts"
import type { BuiltIndex } from "../component/SearchIndex.ts"

/** Interface whose functions return promises; a member that is an effect becomes a function without parameters. */
export type Async<T> = { readonly [Name in keyof T]: Member<T[Name]> }

type Member<M> = M extends (...given: infer Given) => infer Result
  ? (...given: Given) => Returned<Result>
  : M extends Effect<infer A, any, any>
    ? () => Promise<Translated<A>>
    : Translated<M>

type Returned<Result> =
  Result extends Effect<infer A, any, any> ? Promise<Translated<A>> : Translated<Result>

type Translated<Value> = Value extends EffectModelClient
  ? ModelClient
  : Value extends Collection | BuiltIndex
    ? Async<Value>
    : Value

/** The stage's model. */
export interface ModelClient extends Async<Omit<EffectModelClient, "agent">> {
  /**
   * Lets the model call tools until it answers, hands over or reaches a limit. Results and failures of tools go to the
   * model as data; a refused approval is such a failure.
   */
  readonly agent: (
    ask: Ask,
    limits: Omit<AgentLimits, "stopWhen"> & {
      /** Ends the loop after a turn. */
      readonly stopWhen?: (calls: ReadonlyArray<CallRecord>) => boolean | PromiseLike<boolean>
    },
  ) => Promise<AgentReply>
}

/** Members that every context has in promise style. */
export interface CallSignal {
  /** Aborted when the call is cancelled, times out or waits for an answer. Release resources then. */
  readonly signal: AbortSignal
}

/** `step` in promise style. */
export interface AsyncStep {
  /**
   * Runs a function once and records its result under a name unique in this call: a retry or a resumed run gets the
   * recorded result. An error that it throws is recorded as a failure of class `internal`.
   */
  readonly step: <A extends Json>(name: string, work: () => A | PromiseLike<A>) => Promise<A>
}
