/** What a person typed for a session → the one it names. */
import type { RunStore, SessionRecord, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { Refused } from "../Refused.ts"
import { beginningWith } from "../runs/withRuns.ts"

/** The session of this id, or the only one whose id begins so. */
export const sessionNamed = (
  { sessions }: RunStore,
  given: string,
): Effect.Effect<SessionRecord, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const exact = yield* sessions.load(given)
    if (exact !== undefined) return exact
    return yield* beginningWith(given, yield* sessions.list(), "session", ({ session }) => session)
  })
