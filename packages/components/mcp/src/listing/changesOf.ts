/** Calls of a listener → a stream: one item for any number of calls since the last one was read. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/** `listen` returns what ends the calls. */
export const changesOf = (listen: (listener: () => void) => () => void): Stream.Stream<void> =>
  Stream.callback<void>(
    (queue) =>
      Effect.acquireRelease(
        Effect.sync(() => listen(() => void Queue.offerUnsafe(queue, undefined))),
        (end) => Effect.sync(end),
      ),
    { bufferSize: 1, strategy: "sliding" },
  )
