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
      ? Effect.flatMap(store.list(), (all) => {
          const found = all.filter(({ run }) => given !== "" && run.startsWith(given))
          return found.length === 1 ? Effect.succeed(found[0]!) : noSuchRun(given, found, all)
        })
      : Effect.succeed(exact),
  )

const noSuchRun = (
  given: string,
  found: ReadonlyArray<RunRecord>,
  all: ReadonlyArray<RunRecord>,
): Effect.Effect<never, Refused> =>
  Effect.fail(
    found.length > 1
      ? problem(
          `${found.length} runs begin with "${given}"`,
          found.map(({ run }) => run).join("\n"),
        )
      : problem(
          `there is no run "${given}"`,
          suggestion(
            given,
            all.slice(0, 5).map(({ run }) => run),
          ) ?? "planloom runs list",
        ),
  )
