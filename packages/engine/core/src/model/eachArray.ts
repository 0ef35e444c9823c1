/** Reads the arrays of a stream in one loop: `Stream.runForEachArray` takes three effects for each of them. */
import type * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"

/** Calls `take` with each array, and waits for what it returns before it reads on. */
export const eachArray = <A, E>(
  stream: Stream.Stream<A, E>,
  take: (items: ReadonlyArray<A>) => Effect.Effect<void, E> | undefined,
): Effect.Effect<void, E> =>
  Effect.scopedWith((scope) =>
    Effect.flatMap(Channel.toPullScoped(Stream.toChannel(stream), scope), (pull) => {
      let waiting: Effect.Effect<void, E> | undefined
      const reading = Effect.whileLoop<ReadonlyArray<A> | void, E | Cause.Done, never>({
        while: () => true,
        body: () => waiting ?? pull,
        step: (items) => {
          waiting = waiting === undefined ? take(items as ReadonlyArray<A>) : undefined
        },
      })
      return Pull.catchDone(reading, () => Effect.void)
    }),
  )
