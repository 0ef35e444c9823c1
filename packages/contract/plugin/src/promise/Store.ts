/** Stores of runs in promise style. */
import * as Effect from "effect/Effect"
import type { Collection as EffectCollection } from "../component/Collection.ts"
import type {
  ErasedRuns,
  OpenedRun as EffectOpenedRun,
  RunStart,
  RunStore as EffectStore,
  UnfinishedRuns,
} from "../run/Journal.ts"
import type { SessionStore as EffectSessions } from "../run/Session.ts"
import { promiseJournal, type Journal } from "./Journal.ts"
import { storeCall, type Result, type StoreCall } from "./storeCall.ts"

/** Optional arguments are undefined when they are not given. */
type Given<Args extends ReadonlyArray<unknown>> = {
  [Index in keyof Required<Args>]: Args[Index & keyof Args]
}

type Method<M> = M extends (...given: infer Args) => Effect.Effect<infer A, any>
  ? (...given: [...Given<Args>, call: StoreCall]) => Result<A>
  : never

type Methods<T> = { readonly [Name in keyof T]: Method<T[Name]> }

/** A run that is open for recording. */
export interface OpenedRun extends Omit<EffectOpenedRun, "journal" | "close"> {
  readonly journal: Journal
  /** Releases the run, after all its events. See `OpenedRun` of `@planloom/plugin/store`. */
  readonly close: (call: StoreCall) => Result<"closed" | "answered">
}

type Plain = Omit<
  EffectStore,
  // A promise cannot do its work at once, as `blame` must.
  | "id"
  | "summary"
  | "open"
  | "sessions"
  | "collection"
  | "revision"
  | "unfinished"
  | "blame"
  | "eraseRuns"
>

/** A store of runs and sessions. What each function does: `RunStore` of `@planloom/plugin/store`. */
export interface RunStore extends Pick<EffectStore, "id" | "summary">, Methods<Plain> {
  readonly open: (start: RunStart, call: StoreCall) => Result<OpenedRun>
  readonly sessions: Methods<EffectSessions>
  readonly collection?: (name: string) => Methods<EffectCollection>
  readonly eraseRuns?: (userDigest: string, call: StoreCall) => Result<ErasedRuns>
  readonly revision: (call: StoreCall) => Result<string>
  readonly unfinished: (call: StoreCall) => Result<UnfinishedRuns>
}

/** Number of arguments before the call. */
type Arities<T> = { readonly [Name in keyof T]: number }

const plain: Arities<Plain> = {
  list: 1,
  show: 1,
  events: 2,
  steps: 1,
  definition: 1,
  personalDigests: 1,
  erasePersonal: 1,
  waits: 1,
  answer: 3,
  due: 1,
  backlog: 1,
  watchOwner: 1,
  prune: 1,
  cancel: 2,
  reset: 2,
  read: 1,
  write: 1,
}

const sessions: Arities<EffectSessions> = {
  load: 1,
  waiting: 1,
  announce: 2,
  announced: 1,
  save: 2,
  list: 1,
  clear: 1,
  prune: 1,
}

const collection: Arities<EffectCollection> = { get: 1, put: 3, remove: 1, list: 1, claim: 3 }

/** Declares a store of runs. */
export const store = (one: RunStore): EffectStore => {
  const { id, summary } = one
  const collections = one.collection
  return {
    id,
    summary,
    ...effects<Plain>(one, plain),
    open: (start) =>
      Effect.map(
        storeCall((call) => one.open(start, call)),
        opened,
      ),
    sessions: effects<EffectSessions>(one.sessions, sessions),
    ...(collections && {
      collection: (name: string) => effects<EffectCollection>(collections(name), collection),
    }),
    ...(one.eraseRuns && {
      eraseRuns: (digest: string) => storeCall((call) => one.eraseRuns!(digest, call)),
    }),
    revision: storeCall((call) => one.revision(call)),
    unfinished: storeCall((call) => one.unfinished(call)),
  }
}

const opened = (one: OpenedRun): EffectOpenedRun => {
  const { isDone, journal } = promiseJournal(one.journal)
  return {
    epoch: one.epoch,
    events: one.events,
    ...(one.session === undefined ? {} : { session: one.session }),
    onCancel: (handler) => one.onCancel(handler),
    journal,
    close: Effect.andThen(
      isDone,
      storeCall((call) => one.close(call)),
    ),
  }
}

/** The functions as effects, each called as a method of its object. */
const effects = <T>(of: object, arities: { readonly [Name in keyof T]: number }): T =>
  Object.fromEntries(
    Object.entries<number>(arities).map(([name, arity]) => [
      name,
      (...given: ReadonlyArray<unknown>) =>
        storeCall((call) => {
          const args = Array.from({ length: arity }, (_, index) => given[index])
          return Reflect.apply(Reflect.get(of, name) as () => unknown, of, [...args, call])
        }),
    ]),
  ) as T
