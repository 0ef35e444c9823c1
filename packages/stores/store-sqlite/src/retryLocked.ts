/** Repeats work on the database while another program holds its lock. */
import * as Effect from "effect/Effect"
import type { StoreFailed } from "@planloom/plugin/effect"
import { toStoreFailed } from "./toStoreFailed.ts"

/** Retries for at most `lockTimeout` milliseconds. */
export const retryLocked = <A>(
  work: () => A,
  lockTimeout: number,
  path: string,
): Effect.Effect<A, StoreFailed> =>
  Effect.suspend(() => {
    const deadline = performance.now() + lockTimeout
    const attempt = (): Effect.Effect<A, StoreFailed> => {
      try {
        return Effect.succeed(work())
      } catch (error) {
        const failure = toStoreFailed(error, path)
        return failure.reason === "locked" && performance.now() < deadline
          ? Effect.flatMap(Effect.sleep(50), attempt)
          : Effect.fail(failure)
      }
    }
    return attempt()
  })
