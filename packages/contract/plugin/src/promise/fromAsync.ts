/** Runs a promise-style function as an effect. */
import * as Effect from "effect/Effect"
import { getCurrent } from "effect/Fiber"
import { AsyncCall, type Interrupted } from "./AsyncCall.ts"
import type { Thrown } from "./Thrown.ts"

/**
 * The effect fails with what `thrown` makes of an error, and does not wait for a promise after its interruption. It waits
 * for effects of the context that the function has started, unless `interrupted` does otherwise.
 */
export const fromAsync = <A, E>(
  start: (call: AsyncCall<any, any>) => A | PromiseLike<A>,
  thrown: Thrown<E>,
  interrupted?: Interrupted,
): Effect.Effect<A, E> => mappedAsync(start, asIs<A>, thrown, interrupted)

/** The same with what `made` makes of the value. */
export const mappedAsync = <A, B, E>(
  start: (call: AsyncCall<any, any>) => A | PromiseLike<A>,
  made: (value: A) => B,
  thrown: Thrown<E>,
  interrupted?: Interrupted,
): Effect.Effect<B, E> =>
  Effect.callback<B, E>((resume) => {
    // The fiber that registers the callback.
    const call = new AsyncCall<B, E>(getCurrent()!.context, resume, interrupted)
    const succeed = (value: A) =>
      call.end(Effect.isEffect(value) ? wrongStyle : Effect.succeed(made(value)), true)
    const fail = (error: unknown) => call.end(thrown(error))
    try {
      const result = start(call)
      if (isThenable(result)) result.then(succeed, fail)
      else succeed(result)
    } catch (error) {
      fail(error)
    }
    return call
  })

const asIs = <A>(value: A): A => value

/** Time for effects of the context to end once they are interrupted; a run must end within 2 ms of its cancellation. */
const RELEASE_MS = 1

/** Abandons effects of the context that have not ended after a moment. */
export const abandoned: Interrupted = (call) =>
  call.isIdle
    ? call.cancel()
    : Effect.raceFirst(
        Effect.interruptible(Effect.suspend(() => call.cancel())),
        Effect.interruptible(Effect.sleep(RELEASE_MS)),
      )

const wrongStyle = Effect.suspend(() =>
  Effect.die(
    new TypeError(
      "an async function was expected, and this one returned an Effect: declare the component with @planloom/plugin/effect",
    ),
  ),
)

const isThenable = <A>(value: A | PromiseLike<A>): value is PromiseLike<A> =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { readonly then?: unknown }).then === "function"
