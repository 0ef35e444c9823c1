/** Runs a promise-style function as an effect. */
import * as Effect from "effect/Effect"
import { AsyncCall } from "./AsyncCall.ts"
import type { Thrown } from "./Thrown.ts"

/** The effect fails with what `thrown` makes of an error, and does not wait for a promise after its interruption. */
export const fromAsync = <A, E>(
  start: (call: AsyncCall<any, any>) => A | PromiseLike<A>,
  thrown: Thrown<E>,
): Effect.Effect<A, E> =>
  Effect.contextWith((services) =>
    Effect.callback<A, E>((resume) => {
      const call = new AsyncCall<A, E>(services, resume)
      const succeed = (value: A) => call.end(returned(value), true)
      const fail = (error: unknown) => call.end(thrown(error))
      try {
        const result = start(call)
        if (isThenable(result)) result.then(succeed, fail)
        else succeed(result)
      } catch (error) {
        fail(error)
      }
      return call.cancel
    }),
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
