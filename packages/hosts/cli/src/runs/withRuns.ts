/** Opens the project's store of runs for a command. */
import type { RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { suggestion } from "../project/nearest.ts"
import { problem, type Refused } from "../Refused.ts"
import { openCopiedRuns, openRecordedRuns } from "../run/projectRuns.ts"
import { doing } from "../terminal/activity.ts"

type Use<A> = (store: RunStore) => Effect.Effect<A, Refused | StoreFailed>

/** Refuses if the folder has no store, without creating one. */
export const withRuns = <A>(use: Use<A>): Effect.Effect<A, Refused> =>
  refusing(usingStore(openRecordedRuns, use))

/** The same for a command that changes nothing: a full disk does not keep it from reading. */
export const withReadableRuns = <A>(use: Use<A>): Effect.Effect<A, Refused> =>
  refusing(
    Effect.catchTag(usingStore(openRecordedRuns, use), "StoreFailed", (failure) =>
      failure.reason === "full"
        ? usingStore(openCopiedRuns(failure), use)
        : Effect.fail<Refused | StoreFailed>(failure),
    ),
  )

const usingStore = <A>(open: typeof openRecordedRuns, use: Use<A>) =>
  Effect.scoped(
    Effect.suspend(() => {
      doing("reading the recorded runs")
      return Effect.flatMap(open, use)
    }),
  )

const refusing = <A>(work: Effect.Effect<A, Refused | StoreFailed>): Effect.Effect<A, Refused> =>
  Effect.catchTag(work, "StoreFailed", ({ message }) => Effect.fail(problem(message)))

/** Finds a run by its id or a unique prefix. */
export const runNamed = (
  store: RunStore,
  given: string,
): Effect.Effect<RunRecord, Refused | StoreFailed> =>
  Effect.flatMap(store.show(given), (exact) =>
    exact === undefined
      ? Effect.flatMap(store.list(), (all) => withPrefix(given, all, "run", ({ run }) => run))
      : Effect.succeed(exact),
  )

/** Finds the only entry with this id prefix; otherwise refuses with the matching or similar ids. */
export const withPrefix = <A>(
  given: string,
  all: ReadonlyArray<A>,
  what: "run" | "session" | "review",
  idOf: (one: A) => string,
): Effect.Effect<A, Refused> => {
  const found = all.filter((one) => given !== "" && idOf(one).startsWith(given))
  if (found.length === 1) return Effect.succeed(found[0]!)
  return Effect.fail(
    found.length > 1
      ? problem(`${found.length} ${what}s start with "${given}"`, found.map(idOf).join("\n"))
      : problem(
          `${what} not found: "${given}"`,
          suggestion(given, all.slice(0, 5).map(idOf)) ??
            `planloom ${what === "review" ? what : `${what}s`} list`,
        ),
  )
}
