/** Opens what a project's store keeps in place of parts of workflow files, for a command that shows or changes it. */
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { problem, type Refused } from "../Refused.ts"
import { openExistingRuns, openRuns } from "./projectRuns.ts"

/** A command that `writes` creates a missing store; one that `reads` does not. */
export type Access = "reads" | "writes"

/** Undefined where nothing is recorded yet. `what` is what a store without it lacks. */
export const keptFor = <Kept>(
  folder: string,
  access: Access,
  of: (store: RunStore) => Effect.Effect<Kept | undefined>,
  what: string,
): Effect.Effect<Kept | undefined, Refused | StoreFailed, Scope> =>
  Effect.gen(function* () {
    const store = yield* access === "writes" ? openRuns(folder) : openExistingRuns(folder)
    if (store === undefined) return undefined
    const kept = yield* of(store)
    return kept ?? (yield* problem(`the store "${store.id}" of the project keeps no ${what}`))
  })
