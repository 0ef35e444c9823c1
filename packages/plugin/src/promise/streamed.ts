/** An async iterable of a promise-style component → a stream. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CallSignal } from "./Async.ts"
import type { Thrown } from "./Thrown.ts"

/** Ends the iteration and aborts its signal when the stream is no longer read. */
export const streamed = <A, E>(
  start: (call: CallSignal) => AsyncIterable<A>,
  thrown: Thrown<E>,
): Stream.Stream<A, E> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort()),
      ),
      ({ signal }) =>
        Stream.catch(
          Stream.suspend(() => Stream.fromAsyncIterable(start({ signal }), (error) => error)),
          (error) => Stream.fromEffect(thrown(error)),
        ),
    ),
  )
