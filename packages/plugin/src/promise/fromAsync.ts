/** Runs a promise-style function as an effect. */
import * as Effect from "effect/Effect"
import { getCurrent } from "effect/Fiber"
import { AsyncCall } from "./AsyncCall.ts"
import type { Thrown } from "./Thrown.ts"

/**
 * The effect fails with what `thrown` makes of an error, and does not wait for a promise after its interruption. It waits
 * for effects of the context that the function has started, unless `interrupted` does otherwise.
 */
export const fromAsync = <A, E>(
  start: (call: AsyncCall<any, any>) => A | PromiseLike<A>,
  thrown: Thrown<E>,
  interrupted: (call: AsyncCall<A, E>) => Effect.Effect<void> = cancelled,
): Effect.Effect<A, E> =>
  Effect.callback<A, E>((resume) => {
    // The fiber that registers the callback.
    const call = new AsyncCall<A, E>(getCurrent()!.context, resume)
    const succeed = (value: A) => call.end(returned(value), true)
    const fail = (error: unknown) => call.end(thrown(error))
    try {
      const result = start(call)
      if (isThenable(result)) result.then(succeed, fail)
      else succeed(result)
    } catch (error) {
      fail(error)
    }
    return interrupted(call)
  })

const cancelled = <A, E>(call: AsyncCall<A, E>): Effect.Effect<void> =>
  Effect.suspend(() => call.cancel())

/** Time for effects of the context to end once they are interrupted; a run must end within 2 ms of its cancellation. */
const RELEASE_MS = 1

/** Abandons effects of the context that have not ended after a moment. */
export const abandoned = <A, E>(call: AsyncCall<A, E>): Effect.Effect<void> =>
  Effect.suspend(() =>
    call.isIdle
      ? call.cancel()
      : Effect.raceFirst(
          Effect.interruptible(Effect.suspend(() => call.cancel())),
          Effect.interruptible(Effect.sleep(RELEASE_MS)),
        ),
  )

const returned = <A>(value: A): Effect.Effect<A> =>
  Effect.isEffect(value)
    ? Effect.die(
        new TypeError(
          "an async function was expected, and this one returned an Effect: declare the component with @planloom/plugin/effect",
        ),
      )
    : Effect.succeed(value)

const isThenable = <A>(value: A | PromiseLike<A>): value is PromiseLike<A> =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { readonly then?: unknown }).then === "function"
