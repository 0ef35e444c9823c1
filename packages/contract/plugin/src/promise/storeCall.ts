/** Calls a function of a promise-style store. */
import * as Effect from "effect/Effect"
import type { StoreFailed } from "../run/StoreFailed.ts"
import type { CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { storeFailure } from "./Thrown.ts"

/** Last argument of every function of a store. */
export interface StoreCall extends CallSignal {
  /** Epoch milliseconds of the engine's clock. */
  readonly now: number
}

export type Result<A> = A | PromiseLike<A>

/** At the time of the engine's clock. */
export const storeCall = <A>(work: (call: StoreCall) => Result<A>): Effect.Effect<A, StoreFailed> =>
  Effect.clockWith((clock) =>
    fromAsync<A, StoreFailed>(
      (call) =>
        work({
          now: clock.currentTimeMillisUnsafe(),
          get signal() {
            return call.signal
          },
        }),
      storeFailure,
    ),
  )
