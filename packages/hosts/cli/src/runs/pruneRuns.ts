/** Implements `planloom runs prune`: deletes ended runs by age or number. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { pruned } from "../run/recording.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say } from "../terminal/Screen.ts"
import { ageFlag } from "./timeFlags.ts"
import { withRuns } from "./withRuns.ts"

export interface PruneFlags {
  readonly olderThan: string | undefined
  readonly keep: number | undefined
  readonly json: boolean
}

export const pruneRuns: Handler<PruneFlags> = ({ json, keep, olderThan }) =>
  Effect.gen(function* () {
    if (olderThan === undefined && keep === undefined) {
      return yield* usage("choose which runs to delete", "--older-than 30d, --keep 100, or both")
    }
    if (keep !== undefined && keep < 0) return yield* usage("--keep must not be negative")
    const age = olderThan === undefined ? undefined : yield* ageFlag("--older-than", olderThan)
    const { reviews, runs } = yield* withRuns((store) =>
      pruned(store, {
        ...(age === undefined ? {} : { before: Date.now() - age }),
        ...(keep === undefined ? {} : { keep }),
      }),
    )
    if (json) print(JSON.stringify(runs))
    else {
      const decided = reviews.deleted.length
      say(
        `deleted ${plural(runs.length, "run")}${decided === 0 ? "" : ` and ${plural(decided, "decided review")}`}`,
      )
      const open = reviews.undecided.length
      if (open > 0) {
        say(
          `${plural(open, "review")} of deleted runs ${open === 1 ? "stays" : "stay"} to be decided: planloom review list`,
        )
      }
    }
    return "ok" as ExitName
  })
