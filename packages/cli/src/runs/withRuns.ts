/** Opens the project's record of runs for a command that reads it. */
import { existsSync } from "node:fs"
import type { RunRecord, RunStore, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import { suggestion } from "../project/nearest.ts"
import { problem, type Refused } from "../Refused.ts"
import { openRuns, runsFile } from "../run/recording.ts"

/** Refuses where nothing has been recorded, and makes no file there. */
export const withRuns = <A>(
  use: (store: RunStore) => Effect.Effect<A, Refused | StoreFailed>,
): Effect.Effect<A, Refused> =>
  Effect.suspend(() =>
    existsSync(runsFile)
      ? Effect.catchTag(
          Effect.scoped(Effect.flatMap(openRuns, use)),
          "StoreFailed",
          ({ message }) => Effect.fail(problem(message)),
        )
      : Effect.fail(
          problem(
            "no runs are recorded here",
            `planloom run <workflow> records in ${runsFile} of the folder it is called in`,
          ),
        ),
  )

/** The one run whose id begins so. */
export const runNamed = (
  store: RunStore,
  given: string,
): Effect.Effect<RunRecord, Refused | StoreFailed> =>
  Effect.flatMap(store.show(given), (exact) =>
    exact === undefined
      ? Effect.flatMap(store.list(), (all) => beginningWith(given, all, "run", ({ run }) => run))
      : Effect.succeed(exact),
  )

/** The only one whose id begins so; else which ones do, or what may have been meant. */
export const beginningWith = <A>(
  given: string,
  all: ReadonlyArray<A>,
  what: "run" | "session",
  idOf: (one: A) => string,
): Effect.Effect<A, Refused> => {
  const found = all.filter((one) => given !== "" && idOf(one).startsWith(given))
  if (found.length === 1) return Effect.succeed(found[0]!)
  return Effect.fail(
    found.length > 1
      ? problem(`${found.length} ${what}s begin with "${given}"`, found.map(idOf).join("\n"))
      : problem(
          `there is no ${what} "${given}"`,
          suggestion(given, all.slice(0, 5).map(idOf)) ?? `planloom ${what}s list`,
        ),
  )
}
