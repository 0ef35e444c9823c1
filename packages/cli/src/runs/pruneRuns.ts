/** Does what `planloom runs prune` asks. */
import * as Effect from "effect/Effect"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { pruned } from "../run/recording.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say } from "../terminal/Screen.ts"
import { ageGiven } from "./timeGiven.ts"
import { withRuns } from "./withRuns.ts"

export interface PruneFlags {
  readonly olderThan: string | undefined
  readonly keep: number | undefined
  readonly json: boolean
}

export const pruneRuns: Doing<PruneFlags> = ({ json, keep, olderThan }) =>
  Effect.gen(function* () {
    if (olderThan === undefined && keep === undefined) {
      return yield* usage("say which runs to forget", "--older-than 30d, --keep 100, or both")
    }
    if (keep !== undefined && keep < 0) return yield* usage("--keep wants 0 or more")
    const age = olderThan === undefined ? undefined : yield* ageGiven("--older-than", olderThan)
    const forgotten = yield* withRuns((store) =>
      pruned(store, {
        ...(age === undefined ? {} : { before: Date.now() - age }),
        ...(keep === undefined ? {} : { keep }),
      }),
    )
    if (json) print(JSON.stringify(forgotten))
    else say(`forgot ${plural(forgotten.length, "run")}`)
    return "ok" as ExitName
  })
