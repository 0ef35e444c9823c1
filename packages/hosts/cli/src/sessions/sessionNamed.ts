/** Finds the session of a command-line argument. */
import type { RunStore, SessionRecord, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Refused } from "../Refused.ts"
import { withPrefix } from "../runs/withRuns.ts"

/** Finds a session by its id or a unique prefix. */
export const sessionNamed = (
  { sessions }: RunStore,
  given: string,
): Effect.Effect<SessionRecord, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const exact = yield* sessions.load(given)
    if (exact !== undefined) return exact
    return yield* withPrefix(given, yield* sessions.list(), "session", ({ session }) => session)
  })
