/** Streams the recorded events of a run while this or another process executes it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { RunEvent, RunStore, StoreFailed } from "@planloom/plugin/effect"
import { Follower, type FollowOptions } from "./Follower.ts"

export { Follower, type FollowOptions }

/**
 * Ends when the run has ended and, unless `patient`, when it is suspended or no process owns it any more. To continue
 * later, pass the number after the last event seen as `from`.
 */
export const follow = (
  store: RunStore,
  run: string,
  options: FollowOptions = {},
): Stream.Stream<RunEvent, StoreFailed> =>
  Stream.unwrap(
    Effect.sync(() => {
      const follower = new Follower(store, run, options)
      const read = Effect.map(
        follower.read,
        (events) =>
          [events, follower.hasEnded ? Option.none<boolean>() : Option.some(true)] as const,
      )
      return Stream.ensuring(
        Stream.paginate(false, (isLater) =>
          isLater ? Effect.andThen(follower.pause(Number.POSITIVE_INFINITY), read) : read,
        ),
        Effect.sync(() => follower.close()),
      )
    }),
  )
